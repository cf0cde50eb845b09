## The same stage for a device that lacks neither registers nor work items: every work item does all
## its nodes at once.  What pays, measured on an H100:
##   - everything a node needs from memory is asked for at the very start, the residual too, so that
##     the wait for it is shared;
##   - matrix entries are literals of the multiply-add instructions, or, where so much code would
##     leave the instruction cache, come through the constant cache in a loop;
##   - an element's traces lie together, so that a neighbour reads a face in one piece; they are
##     turned round in local memory and leave in order.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%
    fields = system.module.FIELDS
    operands = system.module.OPERANDS
    products = system.module.PRODUCTS
    traces = system.module.TRACES[rank_one]
    fluxes = system.module.FLUXES[rank_one]
    sums = list(dict.fromkeys(name for name, _, _ in products))
    n_slots = 3 * nodes_per_face
    literal = shape.matrices == "literal"

    def share(count):
        """What each row of work items does: consecutive numbers, as many for each."""
        size = -(-count // shape.rows)
        return [range(row * size, min(count, (row + 1) * size)) for row in range(shape.rows)]

    nodes, slots = share(nodes_per_element), share(n_slots)
    most_nodes, most_slots = len(nodes[0]), len(slots[0])
    slots_of = {n: [s for s in range(n_slots) if face_nodes.ravel()[s] == n] for n in range(nodes_per_element)}
    # An odd number of entries per lane, so that lanes fall on different banks.
    outbox = n_slots * len(traces) | 1

    def number(value):
        text = repr(float(value))
        return f"({text}{'f' if real == 'float' else ''})"

    def quads(row, columns):
        return -(-columns * len(nodes[row]) // 4)

    def first_quad(row, columns, length):
        return sum(length * quads(before, columns) for before in range(row))
%>
<%def name="each_row(part)">
% if shape.rows == 1:
    {
        ${part(0)}
    }
% else:
% for row in range(shape.rows):
    ${"else " if row else ""}if (row == ${row}) {
        ${part(row)}
    }
% endfor
% endif
</%def>

<%def name="load(row)">
% for i, n in enumerate(nodes[row]):
% for k, name in enumerate(fields):
        old_${name}${i} = fields[HERE(${k * nodes_per_element + n})];
% endfor
% endfor
% for i, s in enumerate(slots[row]):
% for c, name in enumerate(traces):
        across_${name}${i} = traces[outside${s // nodes_per_face} - ${s % nodes_per_face * len(traces) - c}];
% endfor
% endfor
        if (a != 0) {
% for i, n in enumerate(nodes[row]):
% for k, name in enumerate(fields):
            step_${name}${i} = residual[HERE(${k * nodes_per_element + n})];
% endfor
% endfor
        } else {
% for i in range(len(nodes[row])):
            ${" = ".join(f"step_{name}{i}" for name in fields)} = 0;
% endfor
        }
% for i, n in enumerate(nodes[row]):
        {
            const int n = ${n};
% for name in fields:
            const real here_${name} = old_${name}${i};
% endfor
            ${system.operands()}
        }
% endfor
</%def>

<%def name="fluxes_of(row)">
% for f in sorted({s // nodes_per_face for s in slots[row]}):
        {
            const int wall = outside${f} == (((block * LANES + lane) * 3 + ${f}) * NFP + NFP - 1) * N_TRACES;
            ${system.face(f)}
% for i, s in enumerate(slots[row]):
% if s // nodes_per_face == f:
            {
            const int n = ${face_nodes.ravel()[s]};
% for name in traces:
            const real across_${name} = across_${name}${i};
% endfor
            ${system.flux(f)}
% for name in fluxes:
            flux_${name}[KEPT(${s})] = ${name};
% endfor
            }
% endif
% endfor
        }
% endfor
</%def>

<%def name="compute(row)">
<% rows = nodes[row] %>
% for i in range(len(rows)):
        real ${", ".join(f"{name}{i} = 0" for name in sums)};
% endfor
% if literal:
% for m in range(nodes_per_element):
        {
% for name in operands:
            const real ${name}_m = ${name}[KEPT(${m})];
% endfor
% for i, n in enumerate(rows):
% for name, matrix, operand in products:
            ${name}${i} = fma(${number(derivatives[matrix][n, m])}, ${operand}_m, ${name}${i});
% endfor
% endfor
        }
% endfor
% else:
        for (int m = 0; m < NP; ++m) {
            constant const ${real}4 *quad = derivatives + ${first_quad(row, 2, nodes_per_element)} + m * ${quads(row, 2)};
% for q in range(quads(row, 2)):
            const ${real}4 d${q} = quad[${q}];
% endfor
% for name in operands:
            const real ${name}_m = ${name}[KEPT(m)];
% endfor
% for i in range(len(rows)):
% for name, matrix, operand in products:
<% entry = 2 * i + "rs".index(matrix) %>\
            ${name}${i} = fma(d${entry // 4}.s${entry % 4}, ${operand}_m, ${name}${i});
% endfor
% endfor
        }
% endif
% for i in range(len(rows)):
        ${system.volume(i)}
% endfor
% for f in range(3):
        {
% for i in range(len(rows)):
            real ${", ".join(f"lifted_{name}{i} = 0" for name in fluxes)};
% endfor
% if literal:
% for j in range(nodes_per_face):
            {
% for name in fluxes:
                const real ${name}_j = flux_${name}[KEPT(${f * nodes_per_face + j})];
% for i, n in enumerate(rows):
                lifted_${name}${i} = fma(${number(lift[n, f * nodes_per_face + j])}, ${name}_j, lifted_${name}${i});
% endfor
% endfor
            }
% endfor
% else:
            for (int j = ${f} * NFP; j < ${f + 1} * NFP; ++j) {
                constant const ${real}4 *quad = lift + ${first_quad(row, 1, n_slots)} + j * ${quads(row, 1)};
% for q in range(quads(row, 1)):
                const ${real}4 l${q} = quad[${q}];
% endfor
% for name in fluxes:
                const real ${name}_j = flux_${name}[KEPT(j)];
% for i in range(len(rows)):
                lifted_${name}${i} = fma(l${i // 4}.s${i % 4}, ${name}_j, lifted_${name}${i});
% endfor
% endfor
            }
% endif
% for i in range(len(rows)):
            ${system.surface(f, i)}
% endfor
        }
% endfor
% for i, n in enumerate(rows):
        {
            const real old_ez = old_ez${i};
            ${system.material(i)}
% for k, name in enumerate(fields):
            const real step_${name} = fma(a, step_${name}${i}, dt * rate_${name}${i});
            if (keep_residual) residual[HERE(${k * nodes_per_element + n})] = step_${name};
            const real new_${name} = fma(b, step_${name}, old_${name}${i});
            fields[HERE(${k * nodes_per_element + n})] = new_${name};
% endfor
% for s in slots_of[n]:
            {
                const int face = ${s // nodes_per_face};
                ${system.outgoing()}
% for c, name in enumerate(traces):
                outgoing[lane * ${outbox} + ${s * len(traces) + c}] = out_${name};
% endfor
            }
% endfor
        }
% endfor
</%def>

kernel ${lanes.attributes()}
void stage(
    global real *restrict fields, global real *restrict residual,
    global const real *restrict traces, global real *restrict new_traces,
    ${constants.arguments("real")}, global const int *restrict outside,
% if not literal:
    constant const ${real}4 *restrict derivatives, constant const ${real}4 *restrict lift,
% endif
    const real upwinding, const real dt, const real a, const real b, const int keep_residual)
{
    ${lanes.place()}
## One row keeps its nodes to itself: constant indices, so these become registers.
<% shared = "local" if shape.rows > 1 else "" %>
% for name in operands:
    ${shared} real ${name}[NP${" * LANES" if shape.rows > 1 else ""}];
% endfor
% for name in fluxes:
    ${shared} real flux_${name}[3 * NFP${" * LANES" if shape.rows > 1 else ""}];
% endfor
    local real outgoing[LANES * ${outbox}];
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
    ${each_row(load)}
    ${system.element()}
% if shape.rows > 1:
    barrier(CLK_LOCAL_MEM_FENCE);
% endif
    ${each_row(fluxes_of)}
% if shape.rows > 1:
    barrier(CLK_LOCAL_MEM_FENCE);
% endif
    ${each_row(compute)}
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < TRACE_BLOCK; i += ${shape.local_size[0]})
        new_traces[i] = outgoing[i / (3 * NFP * N_TRACES) * ${outbox} + i % (3 * NFP * N_TRACES)];
}
