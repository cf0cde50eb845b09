## Local time stepping: one step of the elements of one cluster, in two kernels.  The method, with its
## formulas, is in wavelab/physics/ader.py; the equations come from ``system``.
##
## A block of elements may belong to two clusters: the lanes of the other one are computed and not
## kept.
##   own        laid out as traces: integral of E + Z+ H over the step, less R s at walls; or those of E
##              and H where the flux has not rank one
##   outgoing   traces twice: the integrals over the whole step, its first half, or two steps, as the
##              neighbour across the face needs it; and then those over the second half
##   leaving    the traces at the begin of the step; and in the middle of it, for faster neighbours
##   levels     [block][lane];  relation  [block][face][lane]: level of the neighbour minus own
##   held       [block][lane]: whether sources come in through faces
##   n_points   moments at which sources are looked at
##   n_terms    of the series
##   local_coefficients, local_memory, rates   of local equations, see local.cl.mako; empty without.  Here
##              coefficients and memory lie as [listed block][entry][node][lane], and ``listed`` says
##              which listed block each group has.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="parts" file="ader_parts.cl.mako"/>
<%include file="${layout}.cl.mako"/>
<%
    fields = system.module.FIELDS
    operands = system.module.OPERANDS
    products = system.module.PRODUCTS
    sums = list(dict.fromkeys(name for name, _, _ in products))
    tile = shape.tile
    n_tiles = -(-nodes_per_element // tile)
    padded = n_tiles * tile != nodes_per_element
    remembers = bool(rates)
    driven_fields = [name for name in fields if name in rates]
    listed = [*driven_fields, *local_memory]
    traces, fluxes = system.module.TRACES[rank_one], system.module.FLUXES[rank_one]
%>

${parts.functions("real_v")}

<%def name="block(number)">
    ${lanes.place(number)}
    fields += block * FIELD_BLOCK;
    ${constants.place()}
    own += block * TRACE_BLOCK;
    levels += block * BLOCK_STRIDE;
    outside += block * 3 * BLOCK_STRIDE;
    relation += block * 3 * BLOCK_STRIDE;
    ${system.metric()}
    ${system.element()}
    const int_v mine = levels[HERE(0)] == level;
</%def>

## Where the traces of face f are in a buffer that has a second one for slower neighbours.
<%def name="across(f)">
        const int_v across = outside[HERE(${f})];
        const int_v wall = across == (block * 3 * NFP + ${f * nodes_per_face + nodes_per_face - 1}) * (N_TRACES * LANES) + lane;
        const int_v later = (relation[HERE(${f})] > 0) & (int_v)(-odd);
% if shape.width > 1:
        const int_v from = across + (later & (int_v)(second * WIDTH));
% else:
        const int from = across + (later ? second * WIDTH : 0);
% endif
        ${system.face(f)}
</%def>

## Trace number c across node j of the face.
<%def name="gathered(buffer, c)">GATHER(${buffer}, (from - j * (N_TRACES * LANES) + ${c} * LANES))</%def>

## Traces of node j of face f from {name}_hx[n], ..., into {name}_wave or {name}_e and {name}_h.
<%def name="traced(f, name)">
            const real_v ${name}_h = normal_x${f} * ${name}_hy[n] - normal_y${f} * ${name}_hx[n];
% if rank_one:
            const real_v ${name}_wave = ${name}_ez[n] - impedance * ${name}_h;
% else:
            const real_v ${name}_e = ${name}_ez[n];
% endif
</%def>

## Rates of change rate_hx0, ... of a tile from flux_e, and flux_h where that is another one.
<%def name="lifted()">
% for i in range(tile):
        real_v ${", ".join(f"rate_{name}{i} = 0" for name in fields)};
% endfor
        global const real *column = lift + tile * 3 * NFP * ${tile};
% for f in range(3):
        {
% for i in range(tile):
            real_v ${", ".join(f"lifted_{name}{i} = 0" for name in fluxes)};
% endfor
            for (int j = 0; j < NFP; ++j, column += ${tile}) {
                ${lanes.column("l", "column", tile)}
% for name in fluxes:
                const real_v ${name}_j = flux_${name}[KEPT(${f} * NFP + j)];
% for i in range(tile):
                lifted_${name}${i} += l${i} * ${name}_j;
% endfor
% endfor
            }
% for i in range(tile):
            ${system.surface(f, i)}
% endfor
        }
% endfor
% for i in range(tile):
        rate_hx${i} *= inverse_mu;
        rate_hy${i} *= inverse_mu;
        rate_ez${i} *= inverse_epsilon;
% endfor
</%def>

<%def name="leave(mine)">
    leaving += block * TRACE_BLOCK;
% for f in range(3):
    EACH(j, 0, NFP) {
        const int slot = ${f} * NFP + j, n = face_nodes[slot];
% for k, name in enumerate(fields):
        const real_v now_${name} = fields[HERE(${k} * NP + n)];
% endfor
        const real_v now_h = normal_x${f} * now_hy - normal_y${f} * now_hx;
% if rank_one:
        const real_v now_wave = now_ez - impedance * now_h;
% else:
        const real_v now_e = now_ez;
% endif
% for c, name in enumerate(traces):
        leaving[TRACE_HERE(slot, ${c})] = ${f"CHOOSE({mine}, now_{name}, leaving[TRACE_HERE(slot, {c})])" if mine else f"now_{name}"};
% endfor
    }
% endfor
</%def>

<%def name="predict_body(number, driven)">
    ${block(number)}
% if remembers:
    at_nodes += listed[get_group_id(0)] * ${len(local_coefficients)} * NP * BLOCK_STRIDE;
    memory += listed[get_group_id(0)] * ${len(local_memory)} * NP * BLOCK_STRIDE;
    // As far as each row of the group needs it.
    real_v term_memory[${max(1, len(local_memory))} * NP], change_memory[${max(1, len(local_memory))} * NP];
% for name in driven_fields:
    real_v extra_${name}[NP];
% endfor
    EACH(n, 0, ${len(local_memory)} * NP) {
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
        ${across(f)}
        EACH(j, 0, NFP) {
            const int n = face_nodes[${f} * NFP + j];
            const real_v inside_e = term_ez[n];
            const real_v inside_h = normal_x${f} * term_hy[n] - normal_y${f} * term_hx[n];
% for c, name in enumerate(traces):
            const real_v across_${name} = ${gathered("leaving", c)};
% endfor
            ${system.flux(f)}
% for name in fluxes:
            flux_${name}[KEPT(${f} * NFP + j)] = ${name};
% endfor
        }
    }
% endfor
    EACH(tile, 0, ${n_tiles}) {
        ${lifted()}
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
% for i in range(len(local_memory)):
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
    EACH(n, 0, ${len(local_memory)} * NP) {
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
% if remembers:
    global const int *restrict listed, global const real_v *restrict at_nodes, global real_v *restrict memory,
% endif
    const int second, const int level, const real dt, const int odd)
{
    ${predict_body("blocks[get_group_id(0)]", driven)}
}
</%def>

${predict(False)}
${predict(True)}

<%def name="correct_body(number)">
    ${block(number)}
    SHARED real_v ${", ".join(f"flux_{name}[3 * NFP * BLOCK_STRIDE]" for name in fluxes)};
% for f in range(3):
    {
        ${across(f)}
        EACH(j, 0, NFP) {
            const int slot = ${f} * NFP + j;
% for c, name in enumerate(traces):
            const real_v across_${name} = ${gathered("outgoing", c)};
% endfor
% if rank_one:
            const real_v e = weight * (own[HERE(slot)] - CHOOSE(wall, (real_v)(0), across_wave));
% else:
            const real_v inside_e = own[TRACE_HERE(slot, 0)], inside_h = own[TRACE_HERE(slot, 1)];
            ${system.flux(f)}
% endif
% for name in fluxes:
            flux_${name}[KEPT(slot)] = ${name};
% endfor
        }
    }
% endfor
    EACH(tile, 0, ${n_tiles}) {
        ${lifted()}
% for i in range(tile):
% if padded:
        if (tile * ${tile} + ${i} < NP) {
% else:
        {
% endif
            const int n = tile * ${tile} + ${i};
% for k, name in enumerate(fields):
            fields[HERE(${k} * NP + n)] += CHOOSE(mine, rate_${name}${i}, (real_v)(0));
% endfor
        }
% endfor
    }
    ${leave("mine")}
</%def>

kernel ${lanes.attributes()}
void correct(
    global const int *restrict blocks, global real_v *restrict fields,
    global const real_v *restrict own, global const real *restrict outgoing,
    ${constants.arguments("real_v")}, global const int_v *restrict levels,
    global const int_v *restrict outside, global const int_v *restrict relation,
    global const real *restrict lift, global real_v *restrict leaving, const int second, const int level, const int odd)
{
    ${correct_body("blocks[get_group_id(0)]")}
}

% if shape.alone and not remembers:
// Many predictions and corrections of small clusters, one after the other, by one work item: on a
// processor a launch takes longer than a few blocks do.
##   actions    (1 for a prediction, level, odd, first, end) each, the last two of places in ``blocks``
kernel ${lanes.attributes()}
void together(
    global const int *blocks, global real_v *all_fields, global real_v *all_own,
    global real_v *all_outgoing, global const real_v *all_coefficients,
    global const int_v *all_levels, global const int_v *all_outside,
    global const int_v *all_relation, global const real *derivatives, global const real *lift,
    global real *all_leaving, global const int *actions, const int n_actions,
    const int second, const real shortest)
{
    for (int action = 0; action < n_actions; ++action) {
        const int level = actions[5 * action + 1], odd = actions[5 * action + 2];
        const real dt = shortest * (1 << level);
        for (int at = actions[5 * action + 3]; at < actions[5 * action + 4]; ++at) {
% for name, kind in (("fields", "real_v"), ("own", "real_v"), ("coefficients", "const real_v"), ("levels", "const int_v"), ("outside", "const int_v"), ("relation", "const int_v")):
            global ${kind} *${name} = all_${name};
% endfor
            if (actions[5 * action]) {
                global real_v *outgoing = all_outgoing;
                global real *leaving = all_leaving;
                ${predict_body("blocks[at]", False)}
            } else {
                global const real *outgoing = (global const real *)all_outgoing;
                global real_v *leaving = (global real_v *)all_leaving;
                ${correct_body("blocks[at]")}
            }
        }
    }
}
% endif

// What leaves now, after the fields were changed from outside.
kernel ${lanes.attributes()}
void leave(
    global const int *restrict blocks, global const real_v *restrict fields,
    ${constants.arguments("real_v")}, global real_v *restrict leaving)
{
    ${lanes.place("blocks[get_group_id(0)]")}
    fields += block * FIELD_BLOCK;
    ${constants.place()}
    ${system.metric()}
    ${system.element()}
    ${leave(None)}
}

// Forget what sources said at the nodes of some blocks.
kernel void forget(
    global const int *restrict blocks, ${parts.source_buffers("real")})
{
    const int size = N_FIELDS * NP * LANES;
    const int i = blocks[get_global_id(0) / size] * size + get_global_id(0) % size;
% for point in range(n_points):
    sources${point}[i] = 0;
% endfor
}
