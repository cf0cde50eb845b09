## The prediction of local time stepping for straight elements, see ader.cl.mako.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="parts" file="ader_parts.cl.mako"/>
<%namespace name="shared" file="ader_block.cl.mako"/>

## ProbeSeries of node j of face f from {name}_hx[n], ..., into {name}_wave or {name}_e and {name}_h.
<%def name="traced(f, name)">
            const real_v ${name}_h = normal_x${f} * ${name}_hy[n] - normal_y${f} * ${name}_hx[n];
% if rank_one:
            const real_v ${name}_wave = ${name}_ez[n] - impedance * ${name}_h;
% else:
            const real_v ${name}_e = ${name}_ez[n];
% endif
</%def>

<%def name="predict_body(number, driven)">
<%
    fields = system.module.FIELDS
    operands, products = system.module.OPERANDS, system.module.PRODUCTS
    sums = list(dict.fromkeys(name for name, _, _ in products))
    traces, fluxes = system.module.TRACES[rank_one], system.module.FLUXES[rank_one]
    tile = config.tile
    n_tiles = -(-nodes_per_element // tile)
    padded = n_tiles * tile != nodes_per_element
    driven_fields = [name for name in fields if name in rates]
    listed = [*driven_fields, *auxiliary_variables]
    remembers = bool(rates)
%>\
    ${shared.block(number)}
% if remembers:
    at_nodes += listed[get_group_id(0)] * ${len(auxiliary_coefficients)} * NP * BLOCK_STRIDE;
    memory += listed[get_group_id(0)] * ${len(auxiliary_variables)} * NP * BLOCK_STRIDE;
    // As far as each row of the group needs it.
    real_v term_memory[${max(1, len(auxiliary_variables))} * NP], change_memory[${max(1, len(auxiliary_variables))} * NP];
% for name in driven_fields:
    real_v extra_${name}[NP];
% endfor
    EACH(n, 0, ${len(auxiliary_variables)} * NP) {
        term_memory[n] = memory[HERE(n)];
        change_memory[n] = 0;
    }
% endif
% for name in operands:
    SHARED real_v ${name}[NP * BLOCK_STRIDE];
% endfor
% for name in fields:
    real_v term_${name}[NP], change_${name}[NP], whole_${name}[NP], first_${name}[NP];
    real_v middle_${name}[NP], jump_${name}[NP];
% endfor
    outgoing += block * TRACE_BLOCK;
% if driven:
% for point in range(n_points):
    sources${point} += block * FIELD_BLOCK;
% endfor
    const int_v hold = held[block * BLOCK_STRIDE + HERE(0)] != 0;
% endif

    EACH(n, 0, NP) {
% for k, name in enumerate(fields):
        term_${name}[n] = fields[HERE(${k} * NP + n)];
        change_${name}[n] = whole_${name}[n] = first_${name}[n] = middle_${name}[n] = 0;
% endfor
    }
    // What the jumps do at the begin of the step.
    SHARED real_v ${", ".join(f"flux_{name}[3 * NFP * BLOCK_STRIDE]" for name in fluxes)};
% for f in range(3):
    {
        ${shared.across(f)}
        EACH(j, 0, NFP) {
            const int n = face_nodes[${f} * NFP + j];
            const real_v inside_e = term_ez[n];
            const real_v inside_h = normal_x${f} * term_hy[n] - normal_y${f} * term_hx[n];
% for c, name in enumerate(traces):
            const real_v across_${name} = ${shared.gathered("leaving", c)};
% endfor
            ${system.flux(f)}
% for name in fluxes:
            flux_${name}[KEPT(${f} * NFP + j)] = ${name};
% endfor
        }
    }
% endfor
    EACH(tile, 0, ${n_tiles}) {
        ${shared.lifted()}
% for i in range(tile):
        if (tile * ${tile} + ${i} < NP) {
% for name in fields:
            jump_${name}[tile * ${tile} + ${i}] = rate_${name}${i};
% endfor
        }
% endfor
    }
    real half_power = 1;
    for (int j = 0; j < ${n_terms}; ++j) {
        const real share = dt / (j + 1);
        half_power *= (real)0.5;
        EACH(n, 0, NP) {
% for name in fields:
            const real_v here_${name} = term_${name}[n];
            middle_${name}[n] += 2 * half_power * here_${name};
            whole_${name}[n] += share * here_${name};
            first_${name}[n] += half_power * share * here_${name};
% endfor
            ${system.operands()}
% if remembers:
            real_v found[${len(listed)}];
            ${parts.call([f"here_{name}" for name in fields], "term_memory[{} * NP + n]", "at_nodes[HERE({} * NP + n)]")}
% for i, name in enumerate(driven_fields):
            extra_${name}[n] = found[${i}];
% endfor
% for i in range(len(auxiliary_variables)):
            term_memory[${i} * NP + n] = share * found[${len(driven_fields) + i}];
            change_memory[${i} * NP + n] += term_memory[${i} * NP + n];
% endfor
% endif
        }
        EACH(tile, 0, ${n_tiles}) {
% for i in range(tile):
            real_v ${", ".join(f"{name}{i} = 0" for name in sums)};
% endfor
            global const real *column = derivatives + tile * NP * ${2 * tile};
            for (int m = 0; m < NP; ++m, column += ${2 * tile}) {
                ${lanes.column("d", "column", 2 * tile)}
% for name in operands:
                const real_v ${name}_m = ${name}[KEPT(m)];
% endfor
% for i in range(tile):
% for name, matrix, operand in products:
                ${name}${i} += d${i + tile * "rs".index(matrix)} * ${operand}_m;
% endfor
% endfor
            }
% for i in range(tile):
            ${system.volume(i)}
% if padded:
            if (tile * ${tile} + ${i} < NP) {
% else:
            {
% endif
                const int n = tile * ${tile} + ${i};
                const real_v old_ez = term_ez[n];
                ${system.material(i)}
% for name in driven_fields:
                rate_${name}${i} += extra_${name}[n];
% endfor
% if driven:
                if (j < ${n_points}) {
% for k, name in enumerate(fields):
                    real_v source_${name} = 0;
% for point in range(n_points):
                    source_${name} += to_coefficients[j * ${n_points} + ${point}] * sources${point}[HERE(${k} * NP + n)];
% endfor
                    // What comes in through faces is predicted as it is at the begin of the step.
                    const real_v later_${name} = CHOOSE(hold, source_${name}, (real_v)(0));
                    if (j > 0) {
                        source_${name} -= later_${name};
                        change_${name}[n] += share * later_${name};
                    }
                    rate_${name}${i} += source_${name};
% endfor
                }
% endif
% for name in fields:
                term_${name}[n] = share * rate_${name}${i};
                change_${name}[n] += term_${name}[n];
                if (j == 0) term_${name}[n] += dt * jump_${name}[n];
% endfor
            }
% endfor
        }
    }
% for f in range(3):
    {
        const int_v wall = outside[HERE(${f})] == (block * 3 * NFP + ${f * nodes_per_face + nodes_per_face - 1}) * (N_TRACES * LANES) + lane;
        const int_v to = relation[HERE(${f})];
        ${system.face(f)}
        EACH(j, 0, NFP) {
            const int slot = ${f} * NFP + j, n = face_nodes[slot];
% for moment in ("whole", "first", "middle"):
            ${traced(f, moment)}
% endfor
% if rank_one:
            const real_v own_wave = whole_ez[n] + outside_impedance * whole_h
                - CHOOSE(wall, reflection * whole_wave, (real_v)(0));
% else:
            const real_v own_e = whole_e, own_h = whole_h;
% endif
            global real_v *middle = (global real_v *)leaving + second + block * TRACE_BLOCK;
% for c, name in enumerate(traces):
            own[TRACE_HERE(slot, ${c})] = CHOOSE(mine, own_${name}, own[TRACE_HERE(slot, ${c})]);
            // The neighbour is slower, and this is the second of two steps in one of its.
            const real_v before_${name} = outgoing[TRACE_HERE(slot, ${c})];
            const real_v summed_${name} = CHOOSE((to > 0) & (int_v)(-odd), before_${name} + whole_${name}, whole_${name});
            outgoing[TRACE_HERE(slot, ${c})] = CHOOSE(mine, CHOOSE(to < 0, first_${name}, summed_${name}), before_${name});
            const real_v later_${name} = outgoing[second + TRACE_HERE(slot, ${c})];
            outgoing[second + TRACE_HERE(slot, ${c})] = CHOOSE(mine, whole_${name} - first_${name}, later_${name});
            middle[TRACE_HERE(slot, ${c})] = CHOOSE(mine, middle_${name}, middle[TRACE_HERE(slot, ${c})]);
% endfor
        }
    }
% endfor
    EACH(n, 0, NP) {
% for k, name in enumerate(fields):
        fields[HERE(${k} * NP + n)] += CHOOSE(mine, change_${name}[n], (real_v)(0));
% endfor
    }
% if remembers:
    EACH(n, 0, ${len(auxiliary_variables)} * NP) {
        memory[HERE(n)] += CHOOSE(mine, change_memory[n], (real_v)(0));
    }
% endif
</%def>

<%def name="predict(driven)">
kernel ${lanes.attributes()}
void ${"predict_driven" if driven else "predict"}(
    global const int *restrict blocks, global real_v *restrict fields, global real_v *restrict own,
    global real_v *restrict outgoing, ${constants.arguments("real_v")},
    global const int_v *restrict levels, global const int_v *restrict outside,
    global const int_v *restrict relation, global const real *restrict derivatives,
    global const real *restrict lift, global real *restrict leaving,
% if driven:
    ${parts.source_buffers("const real_v")}, global const int_v *restrict held,
% endif
% if rates:
    global const int *restrict listed, global const real_v *restrict at_nodes, global real_v *restrict memory,
% endif
    const int second, const int level, const real dt, const int odd)
{
    ${predict_body("blocks[get_group_id(0)]", driven)}
}
</%def>
