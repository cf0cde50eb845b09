## The same stage for a processor, where a work item does a block of elements alone, as vectors, and
## arithmetic is what limits.  What pays:
##   - the reference triangle is symmetric (symmetry.py), which halves every product: even and odd
##     parts of what is multiplied do not mix.  And as D_s is D_r for nodes in another order, and the
##     faces are one face turned round, there are two matrices, D_r and the lift of face 0, and an
##     entry that was read is used four times or three;
##   - a tile of rows at a time, whose sums stay in registers (elements/even_odd_tiles.py);
##   - what a neighbour publishes is read through a pointer per lane;
##   - the next block is asked for while this one is computed.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="published" file="publish.cl.mako"/>
<%
    fields = system.module.FIELDS
    traces = system.module.TRACES[rank_one]
    fluxes = system.module.FLUXES[rank_one]
    # (operand, matrix, fields that the product adds to).
    products = system.module.DERIVATIVES
    lifts = [(f, name) for f in range(3) for name in fluxes]
    n_pairs, n_singles = tiles.n_pairs, tiles.n_singles
    first_single = tiles.pairs.n_rows
    sides = ("here", "there")
    # Pairs of face nodes, and the node in the middle of a face.
    n_face_pairs, middle = divmod(nodes_per_face, 2)
    # Of a cache line of 64 bytes, and of the fields for each tile.
    per_line = max(1, 64 // (config.width * (4 if real == "float" else 8)))
    ahead = -(-3 * nodes_per_element // (tiles.pairs.count * per_line)) * per_line
    # Columns of ``orbits`` with what belongs to a matrix, and to a face.
    of_matrix, of_face = {"r": 0, "s": 2}, (0, 4, 6)
%>
## A node and its mirror image for D_r, for D_s, for the lift of faces 1 and 2; pairs first, then nodes
## that are their own image.
constant int orbits[${len(tiles.orbits)}][8] = {
% for line in tiles.orbits:
    {${", ".join(map(str, line))}},
% endfor
};

## Operands of all products at the nodes in line ``line`` of ``orbits``, folded to column m.
<%def name="fold_nodes(line, paired)">
% for matrix, column in of_matrix.items():
        {
% for side in sides[: 2 if paired else 1]:
            const int ${side} = orbits[${line}][${column + (side == "there")}];
% for k, name in enumerate(fields):
            const real_v old_${name}_${side} = fields[${k} * NP + ${side}];
% endfor
% endfor
% for o, (operand, product_matrix, _) in enumerate(products):
% if product_matrix == matrix:
            {
% for side in sides[: 2 if paired else 1]:
                const real_v x_${side} = ${f"old_ez_{side}" if operand == "ez" else system.curl(matrix, f"_{side}")};
% endfor
                ${fold("", f"m * {len(products)} + {o}", "x", paired)}
            }
% endif
% endfor
        }
% endfor
</%def>

## Even and odd part of {name}_here and its mirror image {name}_there; what is its own image has no odd
## part.
<%def name="fold(prefix, place, name, paired)">
                ${prefix}even[${place}] = ${name}_here${f" + {name}_there" if paired else ""};
% if paired:
                ${prefix}odd[${place}] = ${name}_here - ${name}_there;
% endif
</%def>

## {part}{row}_{operand}: a tile of rows of a matrix times all operands.
<%def name="multiply(part, size, operands, n_columns, n_operands)">
        real_v ${", ".join(f"{part}{p}_{o} = 0" for p in range(size) for o in range(n_operands))};
        for (int m = 0; m < ${n_columns}; ++m, entry += ${size}) {
            ${lanes.column("d", "entry", size)}
% for o in range(n_operands):
            {
                const real_v x = ${operands}[m * ${n_operands} + ${o}];
% for p in range(size):
                ${part}${p}_${o} += d${p} * x;
% endfor
            }
% endfor
        }
</%def>

## Row p of operand o to a node and its image, in columns of line first + p of ``orbits``.
<%def name="unfold(target, p, o, column, paired)">
        {
            constant int *place = orbits[first + ${p}] + ${column};
            ${target}[place[0]] = total${p}_${o}${f" + difference{p}_{o}" if paired else ""};
% if paired:
            ${target}[place[1]] = total${p}_${o} - difference${p}_${o};
% endif
        }
</%def>

## All products at a tile of rows: of D_r even parts make differences and odd ones sums, of the lift the
## other way round.
<%def name="products_of(size, paired)">
    {
% if paired:
        ${multiply("difference", size, "even", n_pairs + n_singles, len(products))}
% endif
        ${multiply("total", size, "odd", n_pairs, len(products))}
% for p in range(size):
% for o, (_, matrix, _) in enumerate(products):
        ${unfold(f"product{o}", p, o, of_matrix[matrix], paired)}
% endfor
% endfor
    }
    {
        ${multiply("total", size, "flux_even", n_face_pairs + middle, len(lifts))}
% if paired:
        ${multiply("difference", size, "flux_odd", n_face_pairs, len(lifts))}
% endif
% for p in range(size):
% for o, (f, name) in enumerate(lifts):
        ${unfold(f"lifted_{name}[{f}]", p, o, of_face[f], paired)}
% endfor
% endfor
    }
</%def>

## Fluxes at slot number ``slot`` of face f, called {flux}_{side}.
<%def name="flux_at(f, slot, side)">
            real_v ${", ".join(f"{name}_{side}" for name in fluxes)};
            {
                const int n = ${face_nodes[f, slot]};
% for c, name in enumerate(traces):
                const real_v across_${name} = PICK(from, ${c - slot * len(traces)} * LANES);
% endfor
                const real_v inside_e = fields[${fields.index("ez")} * NP + n];
                const real_v inside_h = normal_x${f} * fields[${fields.index("hy")} * NP + n]
                    - normal_y${f} * fields[${fields.index("hx")} * NP + n];
                ${system.flux(f)}
% for name in fluxes:
                ${name}_${side} = ${name};
% endfor
            }
</%def>

## The stage of block number ``number``, where the pointers stand.
<%def name="stage_of_block()">
    ${lanes.place("number")}
    real_v even[${(n_pairs + n_singles) * len(products)}], odd[${n_pairs * len(products)}];
    real_v flux_even[${(n_face_pairs + middle) * len(lifts)}], flux_odd[${n_face_pairs * len(lifts)}];
    // One more for rows that only fill up a tile.
% for o in range(len(products)):
    real_v product${o}[NP + 1];
% endfor
% for name in fluxes:
    real_v lifted_${name}[3][NP + 1];
% endfor
    ${system.metric()}
    ${system.element()}

    for (int m = 0; m < ${n_pairs}; ++m) {
        ${fold_nodes("m", True)}
    }
    for (int m = ${n_pairs}; m < ${n_pairs + n_singles}; ++m) {
        ${fold_nodes(f"m + {first_single - n_pairs}", False)}
    }

% for f in range(3):
    {
        const int_v across = outside[HERE(${f})];
        const int_v wall = across == ((block * 3 + ${f}) * NFP + NFP - 1) * N_TRACES * LANES + lane;
        ${lanes.pointers("from", "traces", "across")}
        ${system.face(f)}
% for j in range(n_face_pairs + middle):
        {
            ${flux_at(f, j, "here")}
% if j < n_face_pairs:
            ${flux_at(f, nodes_per_face - 1 - j, "there")}
% endif
% for o, (face, name) in enumerate(lifts):
% if face == f:
            ${fold("flux_", j * len(lifts) + o, name, j < n_face_pairs)}
% endif
% endfor
        }
% endfor
    }
% endfor

    global const real *entry = entries;
    // Vectors of the next block that are asked for beside each tile.
    int ahead = block + 1 < n_blocks ? FIELD_BLOCK : 0;
    for (int first = 0; first < ${first_single}; first += ${tiles.pairs.size}, ahead += ${ahead}) {
        for (int i = 0; i < ${ahead}; i += ${per_line}) {
            ASK_FOR(fields + ahead + i);
            ASK_FOR(residual + ahead + i);
        }
        ${products_of(tiles.pairs.size, True)}
    }
    for (int first = ${first_single}; first < ${len(tiles.orbits)}; first += ${tiles.singles.size}) {
        ${products_of(tiles.singles.size, False)}
    }

    ${system.factors()}
    for (int n = 0; n < NP; ++n) {
        real_v ${", ".join(f"step_{name}0 = 0" for name in fields)};
% for k, name in enumerate(fields):
        const real_v old_${name}0 = fields[${k} * NP + n];
        if (a != 0) step_${name}0 = residual[${k} * NP + n];
% endfor
        ${system.begin(0)}
% for o, (_, _, targets) in enumerate(products):
% for target, factor in targets:
        step_${target}0 += ${factor} * product${o}[n];
% endfor
% endfor
% for f in range(3):
% for name, targets in system.module.LIFTED[rank_one]:
% for target in targets:
        step_${target}0 += ${target}_face${f} * lifted_${name}[${f}][n];
% endfor
% endfor
% endfor
% for k, name in enumerate(fields):
        if (keep_residual) residual[${k} * NP + n] = step_${name}0;
        fields[${k} * NP + n] = old_${name}0 + b * step_${name}0;
% endfor
    }
% for f in range(3):
    ${published.face(f, "new_traces")}
% endfor
</%def>

kernel ${lanes.attributes()}
void stage(
    global real_v *restrict fields, global real_v *restrict residual,
    global const real *restrict traces, global real_v *restrict new_traces,
    ${constants.arguments("real_v")}, global const int_v *restrict outside,
    global const real *restrict entries,
    const real upwinding, const real dt, const real a, const real b, const int keep_residual,
    const int n_blocks, const int blocks_each${lanes.first_block()})
{
    // To start a work item takes a tenth of the time of a block of low order, so it does several.
    int number = get_group_id(0) * blocks_each${" + first_block" if split else ""};
    const int end = min(number + blocks_each, n_blocks);
    {
        const int block = number;
        fields += block * FIELD_BLOCK;
        residual += block * FIELD_BLOCK;
        new_traces += block * TRACE_BLOCK;
        ${constants.place()}
        outside += block * 3;
    }
    for (; number < end; ++number) {
        ${stage_of_block()}
        fields += FIELD_BLOCK;
        residual += FIELD_BLOCK;
        new_traces += TRACE_BLOCK;
        coefficients += N_COEFFICIENTS;
        outside += 3;
    }
}
