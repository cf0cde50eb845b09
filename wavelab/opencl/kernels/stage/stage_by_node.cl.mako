## One stage by a work item for each node of an element, or for a few, for small meshes, of which many steps are taken in
## one launch.  There a group has one block, and what it waits for nobody else makes up for:
##   - it reads its own fields, multiplies and reads the residual before it asks for what neighbours
##     publish, so that this goes on while the others arrive;
##   - of operands and matrices it reads four columns at a time;
##   - an item has its nodes from the fields that it reads to the traces that it publishes.
##
## derivatives  [four columns][row][D_r, D_s][4], filled up with zeros, which are not multiplied
## lift         [face][four columns][row][4], likewise
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="${context['equations']}.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="published" file="publish.cl.mako"/>
<%
    fields = system.module.FIELDS
    operands = system.module.OPERANDS
    products = system.module.PRODUCTS
    traces = system.module.TRACES[rank_one]
    fluxes = system.module.FLUXES[rank_one]
    sums = list(dict.fromkeys(name for name, _, _ in products))
    node_quads, face_quads = -(-nodes_per_element // 4), -(-nodes_per_face // 4)
    full, rest = divmod(nodes_per_element, 4)
    # Twice as long to compile, and faster from here on: a loop takes registers with which two groups no longer fit.
    unrolled = nodes_per_element > 36
    own = range(config.tile)
    node = lambda i: f"row * {config.tile} + {i}" if config.tile > 1 else "row"
    in_quad = lambda q, n: range(min(4, n - 4 * q))
%>
typedef ${real}4 real_quad;
kernel ${lanes.attributes()}
void stage(
    global real *restrict fields, global real *restrict residual,
    global const real *restrict traces, global real *restrict new_traces,
    ${constants.arguments("real")}, global const int *restrict outside,
    global const real *restrict derivatives, global const real *restrict lift,
    const real upwinding, const real dt, const real a, const real b, const int keep_residual${lanes.first_block()})
{
    ${lanes.place(lanes.module.STAGE_BLOCK[split])}
% for name in operands:
    local real_quad quads_of_${name}[${node_quads} * LANES];
% endfor
% for name in fluxes:
    local real_quad quads_of_flux_${name}[${3 * face_quads} * LANES];
% endfor
% for name in [*operands, *(f"flux_{name}" for name in fluxes)]:
    local real *${name} = (local real *)quads_of_${name};
% endfor
    fields += block * FIELD_BLOCK;
    residual += block * FIELD_BLOCK;
    new_traces += block * TRACE_BLOCK;
    ${constants.place()}
    outside += block * 3 * LANES;
% for i in own:
    const int node${i} = ${node(i)};
% for k, name in enumerate(fields):
    const real old_${name}${i} = fields[HERE(${k} * NP + node${i})];
    const real old_step_${name}${i} = a != 0 ? residual[HERE(${k} * NP + node${i})] : 0;
% endfor
% endfor
% for f in range(3):
    const int across${f} = outside[HERE(${f})];
% endfor
    ${system.metric()}
    ${system.element()}
% for i in own:
    {
        const int n = node${i};
% for name in fields:
        const real here_${name} = old_${name}${i};
% endfor
        ${system.operands()}
    }
% endfor
    SYNC;

    real ${", ".join(f"{name}{i} = 0" for name in sums for i in own)};
## What four columns of D_r and D_s, or the last few, contribute.
<%def name="multiplied(q, columns)">
        global const real_quad *entries = (global const real_quad *)derivatives + (${q} * NP + node0) * 2;
% for i in own:
        const real_quad d_r${i} = entries[${2 * i}], d_s${i} = entries[${2 * i + 1}];
% endfor
% for name in operands:
        const real_quad ${name}_m = quads_of_${name}[${q} * LANES + item];
% endfor
% for m in range(columns):
% for i in own:
% for name, matrix, operand in products:
        ${name}${i} += d_${matrix}${i}.s${m} * ${operand}_m.s${m};
% endfor
% endfor
% endfor
</%def>
% if unrolled:
% for q in range(full):
    {
        ${multiplied(q, 4)}
    }
% endfor
% else:
#pragma unroll 4
    for (int q = 0; q < ${full}; q++) {
        ${multiplied("q", 4)}
    }
% endif
% if rest:
    {
        ${multiplied(full, rest)}
    }
% endif
% for i in own:
    ${system.volume(i)}
% endfor

    OTHERS_PUBLISHED;
% for f in range(3):
    EACH(j, ${-f * nodes_per_face % config.rows}, NFP) {
        const int wall = across${f} == ((block * 3 + ${f}) * NFP + NFP - 1) * N_TRACES * LANES + lane;
        const int n = face_nodes[${f} * NFP + j];
% for c, name in enumerate(traces):
        const real across_${name} = traces[across${f} - (j * N_TRACES - ${c}) * LANES];
% endfor
        ${system.face(f)}
        ${system.inside_kept(f)}
        ${system.flux(f)}
% for name in fluxes:
        flux_${name}[KEPT(${4 * f * face_quads} + j)] = ${name};
% endfor
    }
% endfor
    SYNC;

% for f in range(3):
    {
        real ${", ".join(f"lifted_{name}{i} = 0" for name in fluxes for i in own)};
% for q in range(f * face_quads, (f + 1) * face_quads):
        {
            global const real_quad *entries = (global const real_quad *)lift + ${q} * NP + node0;
% for name in fluxes:
            const real_quad ${name}_j = quads_of_flux_${name}[${q} * LANES + item];
% endfor
% for i in own:
            const real_quad l${i} = entries[${i}];
% for j in in_quad(q - f * face_quads, nodes_per_face):
% for name in fluxes:
            lifted_${name}${i} += l${i}.s${j} * ${name}_j.s${j};
% endfor
% endfor
% endfor
        }
% endfor
% for i in own:
        ${system.surface(f, i)}
% endfor
    }
% endfor
% for i in own:
    {
        const int n = node${i};
% for name in fields:
        const real old_${name} = old_${name}${i};
% endfor
        ${system.material(i)}
% for k, name in enumerate(fields):
        const real step_${name} = dt * rate_${name}${i} + a * old_step_${name}${i};
        if (keep_residual) residual[HERE(${k} * NP + n)] = step_${name};
        const real new_${name} = old_${name} + b * step_${name};
        fields[HERE(${k} * NP + n)] = new_${name};
% endfor
        ${published.node("new_traces")}
    }
% endfor
}
