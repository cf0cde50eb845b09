## The same stage for a device that lacks neither registers nor work items: a work item does all nodes
## of an element at once.  What pays, measured on an H100:
##   - everything a node needs from memory is asked for at the very start, the residual too, so that
##     the wait for it is shared;
##   - the reference triangle is symmetric, which halves every product (symmetry.py);
##   - matrix entries are literals of the multiply-add instructions.  So much code must stay in the
##     instruction cache, and an element in registers: from order 4 on, work items share elements
##     (stage_even_odd_gpu.cl.mako);
##   - an element's traces lie together, so that a neighbour reads a face in one piece; they are
##     turned round in local memory and leave in order.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="even_odd" file="even_odd_product.cl.mako"/>
<%namespace name="owned" file="owned_nodes.cl.mako"/>
<%
    fields = system.module.FIELDS
    traces = system.module.TRACES[rank_one]
    fluxes = system.module.FLUXES[rank_one]
    nodes, slots = range(nodes_per_element), range(face_nodes.size)
%>
<%def name="lift(f)">
    {
        real ${", ".join(f"flux_{name}{j}" for name in fluxes for j in range(nodes_per_face))};
        {
            ${owned.face(f)}
% for j in range(nodes_per_face):
            {
                ${owned.flux(f, face_nodes[f, j], f * nodes_per_face + j)}
% for name in fluxes:
                flux_${name}${j} = ${name};
% endfor
            }
% endfor
        }
% for name, targets in system.module.LIFTED[rank_one]:
        {
            ${even_odd.product(even_odd_lift[f], lambda j: f"flux_{name}{j}", nodes)}
            ${even_odd.add(even_odd_lift[f], nodes, [(t, f"{t}_face{f}") for t in targets])}
        }
% endfor
    }
</%def>

<%def name="differentiate(name, direction, targets)">
    {
        ${even_odd.product(even_odd_derivatives[direction], lambda n: f"old_ez{n}" if name == "ez" else system.curl(direction, n), nodes)}
        ${even_odd.add(even_odd_derivatives[direction], nodes, targets)}
    }
</%def>

kernel ${lanes.attributes()}
void stage(
    global real *restrict fields, global real *restrict residual,
    global const real *restrict traces, global real *restrict new_traces,
    ${constants.arguments("real")}, global const int *restrict outside,
    const real upwinding, const real dt, const real a, const real b, const int keep_residual${lanes.first_block()})
{
    ${lanes.place(lanes.module.STAGE_BLOCK[split])}
    local real outgoing[${owned.module.outbox(face_nodes, traces)} * LANES];
    fields += block * FIELD_BLOCK;
    residual += block * FIELD_BLOCK;
    outside += block * 3 * BLOCK_STRIDE;
    new_traces += block * TRACE_BLOCK;
    ${constants.place()}
    ${system.metric()}
% for f in range(3):
    const int outside${f} = outside[HERE(${f})];
% endfor
    real ${", ".join(f"old_{name}{n}, step_{name}{n}" for name in fields for n in nodes)};
    real ${", ".join(f"across_{name}{s}" for name in traces for s in slots)};
    ${owned.load(nodes)}
    ${owned.load_traces(slots)}
    ${owned.load_residual(nodes)}
    ${system.element()}
    ${system.factors()}
    ${owned.begin(nodes)}
% for f in range(3):
    ${lift(f)}
% endfor
% for product in system.module.DERIVATIVES:
    ${differentiate(*product)}
% endfor
    ${owned.update(nodes)}
    barrier(CLK_LOCAL_MEM_FENCE);
    ${owned.send()}
}
