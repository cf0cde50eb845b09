## The same stage for a device that lacks neither registers nor work items: a work item does all nodes
## of an element at once, or two or four work items share them.  What pays, measured on an H100:
##   - everything a node needs from memory is asked for at the very start, the residual too, so that
##     the wait for it is shared;
##   - the reference triangle is symmetric, which halves every product (symmetry.py);
##   - matrix entries are literals of the multiply-add instructions.  So much code must stay in the
##     instruction cache: where work items share an element, each does one or two of the four
##     products, and as D_s is D_r for nodes in another order, they run the same code;
##   - an element's traces lie together, so that a neighbour reads a face in one piece; they are
##     turned round in local memory and leave in order.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="mirrored" file="mirrored_product.cl.mako"/>
<%namespace name="owned" file="owned_nodes.cl.mako"/>
<%
    fields = system.module.FIELDS
    derivatives_of = system.module.DERIVATIVES
    lifted_to = system.module.LIFTED[rank_one]
    traces = system.module.TRACES[rank_one]
    fluxes = system.module.FLUXES[rank_one]
    n_slots = 3 * nodes_per_face
    alone = shape.rows == 1
    products_each = 4 // shape.rows

    def share(all_of_them):
        """What each row of work items does: consecutive ones, as many for each."""
        size = -(-len(all_of_them) // shape.rows)
        return [all_of_them[row * size : (row + 1) * size] for row in range(shape.rows)]

    every_node = range(nodes_per_element)
    # Where a node and its mirror image have one owner, it lifts to both at the cost of one.
    nodes, slots = share(every_node if alone else by_orbits), share(range(n_slots))
    most_nodes, most_slots = len(nodes[0]), len(slots[0])
    outbox = owned.module.outbox(face_nodes, traces)
%>
## Where work items share an element: operand 0 is Ez, operand 1 is what D_r or D_s makes the curl of;
## for D_s the nodes are in the order that makes it D_r.  Products take the place of what they are of.
<%def name="operand(matrix, which, n)">\
operands[(${(2 * "rs".index(matrix) + which) * nodes_per_element + (n if matrix == "r" else swapped[n])}) * LANES + lane]\
</%def>

<%def name="load(row)">
        ${owned.load(nodes[row])}
        ${owned.load_traces(slots[row])}
        ${owned.load_residual(nodes[row])}
% if not alone:
% for i, n in enumerate(nodes[row]):
        ${operand("r", 0, n)} = old_ez${i};
        ${operand("s", 0, n)} = old_ez${i};
        ${operand("r", 1, n)} = ${system.curl("r", i)};
        ${operand("s", 1, n)} = ${system.curl("s", i)};
% endfor
% endif
</%def>

## Fluxes at face node s, of face f, number i of its row; what is inside, another row may have loaded.
<%def name="shared_flux(f, s, i)">
<% n = face_nodes.ravel()[s] %>
            const real inside_e = ${operand("r", 0, n)};
            const real curl_r = ${operand("r", 1, n)}, curl_s = ${operand("s", 1, n)};
            const real inside_h = (${system.module.SCALED_H[f]}) * inverse_scale${f};
            ${owned.flux_from_inside(f, i)}
</%def>

<%def name="fluxes_of(row)">
% for f in sorted({s // nodes_per_face for s in slots[row]}):
        {
            ${owned.face(f)}
% for i, s in enumerate(slots[row]):
% if s // nodes_per_face == f:
            {
                ${shared_flux(f, s, i)}
% for name in fluxes:
                flux_${name}[${s} * LANES + lane] = ${name};
% endfor
            }
% endif
% endfor
        }
% endfor
</%def>

<%def name="begin(row)">
        ${owned.begin(nodes[row])}
</%def>

## All of an element by one work item.
<%def name="whole_element()">
% for f in range(3):
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
% for name, targets in lifted_to:
        {
            ${mirrored.product(mirrored_lift[f], lambda j: f"flux_{name}{j}", every_node)}
            ${mirrored.add(mirrored_lift[f], every_node, [(t, f"{t}_face{f}") for t in targets])}
        }
% endfor
    }
% endfor
% for name, matrix, targets in derivatives_of:
    {
        ${mirrored.product(mirrored_derivatives[matrix], lambda n: f"old_ez{n}" if name == "ez" else system.curl(matrix, n), every_node)}
        ${mirrored.add(mirrored_derivatives[matrix], every_node, targets)}
    }
% endfor
</%def>

## The half of the nodes that a row owns, from what both rows have computed.
<%def name="finish(row)">
% for i, n in enumerate(nodes[row]):
% for matrix in "rs":
% for which, targets in enumerate(targets for _, m, targets in derivatives_of if m == matrix):
        {
            const real slope = ${operand(matrix, which, n)};
% for target, factor in targets:
            step_${target}${i} = fma(${factor}, slope, step_${target}${i});
% endfor
        }
% endfor
% endfor
% endfor
% for f in range(3):
% for name, targets in lifted_to:
        {
            ${mirrored.product(mirrored_lift[f], lambda j: f"flux_{name}[{f * nodes_per_face + j} * LANES + lane]", nodes[row])}
            ${mirrored.add(mirrored_lift[f], nodes[row], [(t, f"{t}_face{f}") for t in targets])}
        }
% endfor
% endfor
</%def>

<%def name="update(row)">
        ${owned.update(nodes[row])}
</%def>

kernel ${lanes.attributes()}
void stage(
    global real *restrict fields, global real *restrict residual,
    global const real *restrict traces, global real *restrict new_traces,
    ${constants.arguments("real")}, global const int *restrict outside,
    const real upwinding, const real dt, const real a, const real b, const int keep_residual)
{
    ${lanes.place()}
% if alone:
    local real outgoing[LANES * ${outbox}];
% else:
    // The traces leave through the same place, once all have read it.
    local real operands[${max(4 * nodes_per_element, outbox)} * LANES];
    local real *outgoing = operands;
% for name in fluxes:
    local real flux_${name}[3 * NFP * LANES];
% endfor
% endif
    fields += block * FIELD_BLOCK;
    residual += block * FIELD_BLOCK;
    outside += block * 3 * BLOCK_STRIDE;
    new_traces += block * TRACE_BLOCK;
    ${constants.place()}
    ${system.metric()}
% for f in range(3):
    const int outside${f} = outside[HERE(${f})];
% endfor
    real ${", ".join(f"old_{name}{i}, step_{name}{i}" for name in fields for i in range(most_nodes))};
    real ${", ".join(f"across_{name}{i}" for name in traces for i in range(most_slots))};
    ${owned.each_row(load)}
    ${system.element()}
    ${system.factors()}
    ${owned.each_row(begin)}
% if alone:
    ${whole_element()}
% else:
    barrier(CLK_LOCAL_MEM_FENCE);
    ${owned.each_row(fluxes_of)}
    barrier(CLK_LOCAL_MEM_FENCE);
    local real *own = operands + row * ${products_each} * NP * LANES + lane;
    #pragma unroll 1
    for (int i = 0; i < ${products_each}; ++i, own += NP * LANES) {
        ${mirrored.product(mirrored_derivatives["r"], lambda n: f"own[{n} * LANES]", every_node)}
% for p, (i, j) in enumerate(mirrored_derivatives["r"].rows):
% for n in dict.fromkeys((i, j)):
        own[${n} * LANES] = ${mirrored.result(p, i, j, n)};
% endfor
% endfor
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ${owned.each_row(finish)}
    barrier(CLK_LOCAL_MEM_FENCE);
% endif
    ${owned.each_row(update)}
    barrier(CLK_LOCAL_MEM_FENCE);
    ${owned.send()}
}
