## The stage of stage_unrolled.cl.mako by two, four or eight work items to an element.  What pays, by
## timings on an H100:
##   - a product with a mirrored matrix is two half as large, one of even parts and one of odd ones
##     (symmetry.py).  A work item does one at a time, with half the sums, and half the code in the
##     instruction cache; as D_s is D_r for nodes in another order, it is the same code for all four;
##   - work items own whole orbits of the symmetry.  So the owner of nodes folds them and their fluxes
##     into even and odd parts for all others, and unfolds what the halves make of them;
##   - at the end fields are read once more, and the residual for the first time, orbit by orbit.  So
##     registers hold a few nodes, not all, and so many groups at a time hide the wait for memory.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="even_odd" file="even_odd_product.cl.mako"/>
<%namespace name="owned" file="owned_nodes.cl.mako"/>
<%
    fields = system.module.FIELDS
    traces = system.module.TRACES[rank_one]
    fluxes = system.module.FLUXES[rank_one]
    slot_nodes = face_nodes.ravel().tolist()

    # The most laborious orbits first, each to the row that has least to do.
    own_orbits = [[] for row in range(config.rows)]
    labour = lambda nodes: sum(5 + 2 * slot_nodes.count(n) for n in nodes)
    for orbit in sorted(orbits, key=labour, reverse=True):
        min(own_orbits, key=lambda own: sum(map(labour, own))).append(orbit)
    nodes = [sum(own, []) for own in own_orbits]
    slots = [[s for s, n in enumerate(slot_nodes) if n in own] for own in nodes]

    # Of each operand even parts, then odd ones, by columns; their places take the differences and the
    # totals that the product is made of, by rows.
    derivative = even_odd_derivatives["r"]
    n_columns, n_pairs = len(derivative.columns), sum(i != j for i, j in derivative.columns)
    node_of = {"r": range(nodes_per_element), "s": swapped}
    outbox = owned.module.outbox(face_nodes, traces)
%>
## Even and odd part of {name}_here and {name}_there; a node on the mirror has no odd one.
<%def name="fold(target, name, even, odd)">
% if odd is None:
                ${target}[HERE(${even})] = ${name}_here;
% else:
                ${target}[HERE(${even})] = ${name}_here + ${name}_there;
                ${target}[HERE(${odd})] = ${name}_here - ${name}_there;
% endif
</%def>

## The work of each row; a row is a whole number of warps, or this would be slow.
<%def name="each_row(part)">
% for row in range(config.rows):
    ${"else " if row else ""}if (row == ${row}) {
        ${part(row)}
    }
% endfor
</%def>

<%def name="load(row)">
        ${owned.load(nodes[row])}
        ${owned.load_traces(slots[row])}
</%def>

<%def name="fold_operands(row)">
% for q, (name, direction, _) in enumerate(system.module.DERIVATIVES):
% for c, pair in enumerate(derivative.columns):
<% here, there = (node_of[direction][m] for m in pair) %>\
% if here in nodes[row]:
        {
% for side, n in {"there": there, "here": here}.items():
<% i = nodes[row].index(n) %>\
            const real x_${side} = ${f"old_ez{i}" if name == "ez" else system.curl(direction, i)};
% endfor
            ${fold("operands", "x", 2 * q * n_columns + c, (2 * q + 1) * n_columns + c if here != there else None)}
        }
% endif
% endfor
% endfor
</%def>

<%def name="fold_fluxes(row)">
% for f in sorted({s // nodes_per_face for s in slots[row]}):
        {
            ${owned.face(f)}
% for pair in even_odd_lift[f].columns:
<% here, there = (f * nodes_per_face + j for j in pair) %>\
% if here in slots[row]:
            {
                real ${", ".join(f"{name}_here, {name}_there" for name in fluxes)};
% for side, s in {"there": there, "here": here}.items():
                {
                    ${owned.flux(f, nodes[row].index(slot_nodes[s]), slots[row].index(s))}
% for name in fluxes:
                    ${name}_${side} = ${name};
% endfor
                }
% endfor
% for name in fluxes:
                ${fold(f"flux_{name}", name, here, there if here != there else None)}
% endfor
            }
% endif
% endfor
        }
% endfor
</%def>

## One half of a product, at ``own``: from ``n_terms`` parts to ``n_sums`` results in the same places.
<%def name="half(entries, first, n_terms, n_sums)">
            real ${", ".join(f"sum{p} = 0" for p in range(n_sums))};
% for c in range(n_terms):
            {
                const real x = own[HERE(${first + c})];
                ${even_odd.column(c, range(n_sums), ("sum", "x", entries))}
            }
% endfor
% for p in range(n_sums):
            own[HERE(${first + p})] = sum${p};
% endfor
</%def>

<%def name="differentiate(orbit)">
% for q, (_, direction, targets) in enumerate(system.module.DERIVATIVES):
% for p, (i, j) in enumerate(derivative.rows):
% if node_of[direction][i] in orbit:
        {
            const real total${p} = operands[HERE(${(2 * q + 1) * n_columns + p})];
% if i != j:
            const real difference${p} = operands[HERE(${2 * q * n_columns + p})];
% endif
% for m in dict.fromkeys((i, j)):
% for target, factor in targets:
<% step = f"step_{target}{orbit.index(node_of[direction][m])}" %>\
            ${step} = fma(${factor}, ${even_odd.result(p, i, j, m)}, ${step});
% endfor
% endfor
        }
% endif
% endfor
% endfor
</%def>

<%def name="lift(orbit)">
% for f in range(3):
% for name, targets in system.module.LIFTED[rank_one]:
        {
            ${even_odd.product(even_odd_lift[f], lambda j: f"flux_{name}[HERE({f * nodes_per_face + j})]", orbit, split=True)}
            ${even_odd.add(even_odd_lift[f], orbit, [(t, f"{t}_face{f}") for t in targets])}
        }
% endfor
% endfor
</%def>

<%def name="finish(row)">
% for orbit in own_orbits[row]:
    {
        real ${", ".join(f"old_{name}{i}, step_{name}{i}" for name in fields for i in range(len(orbit)))};
        ${owned.load(orbit)}
        ${owned.load_residual(orbit)}
        ${owned.begin(orbit)}
        ${differentiate(orbit)}
        ${lift(orbit)}
        ${owned.update(orbit)}
    }
% endfor
</%def>

kernel ${lanes.attributes()}
void stage(
    global real *restrict fields, global real *restrict residual,
    global const real *restrict traces, global real *restrict new_traces,
    ${constants.arguments("real")}, global const int *restrict outside,
    const real upwinding, const real dt, const real a, const real b, const int keep_residual${lanes.first_block()})
{
    ${lanes.place(lanes.module.STAGE_BLOCK[split])}
    local real operands[${8 * n_columns} * LANES], outgoing[${outbox} * LANES];
% for name in fluxes:
    local real flux_${name}[3 * NFP * LANES];
% endfor
    fields += block * FIELD_BLOCK;
    residual += block * FIELD_BLOCK;
    outside += block * 3 * BLOCK_STRIDE;
    new_traces += block * TRACE_BLOCK;
    ${constants.place()}
    ${system.metric()}
% for f in range(3):
    const int outside${f} = outside[HERE(${f})];
% endfor
    real ${", ".join(f"old_{name}{i}" for name in fields for i in range(max(map(len, nodes))))};
    real ${", ".join(f"across_{name}{i}" for name in traces for i in range(max(map(len, slots))))};
    ${each_row(load)}
    ${system.element()}
    ${system.factors()}
    ${each_row(fold_operands)}
    ${each_row(fold_fluxes)}
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll 1
    for (int q = row / 2; q < 4; q += ROWS / 2) {
        local real *own = operands + q * ${2 * n_columns} * LANES;
        if (row % 2 == 0) {
            ${half(derivative.from_even, 0, n_columns, n_pairs)}
        } else {
            ${half(derivative.from_odd, n_columns, n_pairs, n_columns)}
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ${each_row(finish)}
    barrier(CLK_LOCAL_MEM_FENCE);
    ${owned.send()}
}
