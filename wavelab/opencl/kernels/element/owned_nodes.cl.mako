## What the unrolled stages do at nodes and face nodes that a work item owns.  Those of a list have
## variables numbered by their place in it: old_hx0, step_hx0, across_wave0, ...
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%!
def outbox(face_nodes, traces):
    """Numbers that an element publishes, made odd, so that lanes fall on different banks."""
    return face_nodes.size * len(traces) | 1


def slots_of(face_nodes, n):
    """Where a node is among the face nodes."""
    return [slot for slot, node in enumerate(face_nodes.ravel()) if node == n]
%>
<%def name="load(nodes)">
% for i, n in enumerate(nodes):
% for k, name in enumerate(system.module.FIELDS):
        old_${name}${i} = fields[HERE(${k * nodes_per_element + n})];
% endfor
% endfor
</%def>

<%def name="load_traces(slots)">
<% traces = system.module.TRACES[rank_one] %>\
% for i, s in enumerate(slots):
% for c, name in enumerate(traces):
        across_${name}${i} = traces[outside${s // nodes_per_face} - ${s % nodes_per_face * len(traces) - c}];
% endfor
% endfor
</%def>

<%def name="load_residual(nodes)">
        if (a != 0) {
% for i, n in enumerate(nodes):
% for k, name in enumerate(system.module.FIELDS):
            step_${name}${i} = residual[HERE(${k * nodes_per_element + n})];
% endfor
% endfor
        } else {
% for i in range(len(nodes)):
            ${" = ".join(f"step_{name}{i}" for name in system.module.FIELDS)} = 0;
% endfor
        }
</%def>

## Once per face f, before its fluxes.
<%def name="face(f)">
            const int wall = outside${f} == (((block * LANES + lane) * 3 + ${f}) * NFP + NFP - 1) * N_TRACES;
            ${system.face(f)}
</%def>

## Fluxes at number i of the nodes, which is number j of the face nodes, of face f.
<%def name="flux(f, i, j)">
            const real inside_e = old_ez${i};
            const real inside_h = normal_x${f} * old_hy${i} - normal_y${f} * old_hx${i};
% for name in system.module.TRACES[rank_one]:
            const real across_${name} = across_${name}${j};
% endfor
            ${system.flux(f)}
</%def>

<%def name="begin(nodes)">
% for i in range(len(nodes)):
        ${system.begin(i)}
% endfor
</%def>

## To memory, and what is published to ``outgoing``.
<%def name="update(nodes)">
<% traces = system.module.TRACES[rank_one] %>\
% for i, n in enumerate(nodes):
        {
% for k, name in enumerate(system.module.FIELDS):
            if (keep_residual) residual[HERE(${k * nodes_per_element + n})] = step_${name}${i};
            const real new_${name} = fma(b, step_${name}${i}, old_${name}${i});
            fields[HERE(${k * nodes_per_element + n})] = new_${name};
% endfor
% for s in slots_of(face_nodes, n):
            {
                const int face = ${s // nodes_per_face};
                ${system.outgoing()}
% for c, name in enumerate(traces):
                outgoing[lane * ${outbox(face_nodes, traces)} + ${s * len(traces) + c}] = out_${name};
% endfor
            }
% endfor
        }
% endfor
</%def>

## All that was published, in order.
<%def name="send()">
    for (int i = get_local_id(0); i < TRACE_BLOCK; i += ${config.local_size[0]})
        new_traces[i] = outgoing[i / (3 * NFP * N_TRACES) * ${outbox(face_nodes, system.module.TRACES[rank_one])} + i % (3 * NFP * N_TRACES)];
</%def>
