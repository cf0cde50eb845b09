## Local time stepping: one step of the elements of one cluster, in two kernels.  The method, with its
## formulas, is in wavelab/physics/ader.py; the equations come from ``system``.
##
## A block of elements may belong to two clusters: the lanes of the other one are computed and not
## kept.
##   own        [block][face node][lane]: integral of E + Z+ H over the step, less R s at walls
##   outgoing   the same twice: what leaves in the whole step, in its first half, or in two steps, as
##              the neighbour across the face needs it; and then what leaves in the second half
##   leaving    s at the begin of the step; and in the middle of it, for faster neighbours
##   levels     [block][lane];  relation  [block][face][lane]: level of the neighbour minus own
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
%>
#define FACE_BLOCK (3 * NFP * BLOCK_STRIDE)

${parts.functions("real_v")}

<%def name="block(number)">
    ${lanes.place(number)}
    fields += block * FIELD_BLOCK;
    ${constants.place()}
    own += block * FACE_BLOCK;
    levels += block * BLOCK_STRIDE;
    outside += block * 3 * BLOCK_STRIDE;
    relation += block * 3 * BLOCK_STRIDE;
    ${system.metric()}
    ${system.element()}
    const int_v mine = levels[HERE(0)] == level;
</%def>

## s that comes in through face f where a slower neighbour has its second value, from ``buffer``.
<%def name="across(f)">
        const int_v across = outside[HERE(${f})];
        const int_v wall = across == (block * 3 * NFP + ${f * nodes_per_face + nodes_per_face - 1}) * LANES + lane;
        const int_v later = (relation[HERE(${f})] > 0) & (int_v)(-odd);
% if shape.width > 1:
        const int_v from = across + (later & (int_v)(second * WIDTH));
% else:
        const int from = across + (later ? second * WIDTH : 0);
% endif
        ${system.face(f)}
</%def>

## Rates of change rate_hx0, ... of a tile from ``flux``.
<%def name="lifted()">
% for i in range(tile):
        real_v ${", ".join(f"rate_{name}{i} = 0" for name in fields)};
% endfor
        global const real *column = lift + tile * 3 * NFP * ${tile};
% for f in range(3):
        {
% for i in range(tile):
            real_v lifted_e${i} = 0;
% endfor
            for (int j = 0; j < NFP; ++j, column += ${tile}) {
                ${lanes.column("l", "column", tile)}
                const real_v flux_j = flux[KEPT(${f} * NFP + j)];
% for i in range(tile):
                lifted_e${i} += l${i} * flux_j;
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
    leaving += block * FACE_BLOCK;
% for f in range(3):
    EACH(j, 0, NFP) {
        const int slot = ${f} * NFP + j, n = face_nodes[slot];
% for k, name in enumerate(fields):
        const real_v now_${name} = fields[HERE(${k} * NP + n)];
% endfor
        const real_v wave = now_ez - impedance * (normal_x${f} * now_hy - normal_y${f} * now_hx);
        leaving[HERE(slot)] = ${f"CHOOSE({mine}, wave, leaving[HERE(slot)])" if mine else "wave"};
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
    outgoing += block * FACE_BLOCK;
% if driven:
% for point in range(n_points):
    sources${point} += block * FIELD_BLOCK;
% endfor
% endif

    EACH(n, 0, NP) {
% for k, name in enumerate(fields):
        term_${name}[n] = fields[HERE(${k} * NP + n)];
        change_${name}[n] = whole_${name}[n] = first_${name}[n] = middle_${name}[n] = 0;
% endfor
    }
    // What the jumps do at the begin of the step.
    SHARED real_v flux[3 * NFP * BLOCK_STRIDE];
% for f in range(3):
    {
        ${across(f)}
        EACH(j, 0, NFP) {
            const int n = face_nodes[${f} * NFP + j];
            const real_v h = normal_x${f} * term_hy[n] - normal_y${f} * term_hx[n];
            const real_v incoming = CHOOSE(wall, reflection * (term_ez[n] - impedance * h),
                GATHER(leaving, (from - j * LANES)));
            flux[KEPT(${f} * NFP + j)] = weight * (term_ez[n] + outside_impedance * h - incoming);
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
% for point in range(n_points):
% for k, name in enumerate(fields):
                    rate_${name}${i} += to_coefficients[j * ${n_points} + ${point}] * sources${point}[HERE(${k} * NP + n)];
% endfor
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
        const int_v wall = outside[HERE(${f})] == (block * 3 * NFP + ${f * nodes_per_face + nodes_per_face - 1}) * LANES + lane;
        const int_v to = relation[HERE(${f})];
        ${system.face(f)}
        EACH(j, 0, NFP) {
            const int slot = ${f} * NFP + j, n = face_nodes[slot];
            const real_v h = normal_x${f} * whole_hy[n] - normal_y${f} * whole_hx[n];
            const real_v first_h = normal_x${f} * first_hy[n] - normal_y${f} * first_hx[n];
            const real_v whole = whole_ez[n] - impedance * h;
            const real_v first = first_ez[n] - impedance * first_h;
            const real_v in = whole_ez[n] + outside_impedance * h
                - CHOOSE(wall, reflection * whole, (real_v)(0));
            own[HERE(slot)] = CHOOSE(mine, in, own[HERE(slot)]);
            // The neighbour is slower, and this is the second of two steps in one of its.
            const real_v before = outgoing[HERE(slot)];
            const real_v summed = CHOOSE((to > 0) & (int_v)(-odd), before + whole, whole);
            outgoing[HERE(slot)] = CHOOSE(mine, CHOOSE(to < 0, first, summed), before);
            const real_v later = outgoing[second + HERE(slot)];
            outgoing[second + HERE(slot)] = CHOOSE(mine, whole - first, later);
            global real_v *middle = (global real_v *)leaving + second + block * FACE_BLOCK;
            const real_v middle_h = normal_x${f} * middle_hy[n] - normal_y${f} * middle_hx[n];
            middle[HERE(slot)] = CHOOSE(mine, middle_ez[n] - impedance * middle_h, middle[HERE(slot)]);
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
    ${parts.source_buffers("const real_v")},
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
    SHARED real_v flux[3 * NFP * BLOCK_STRIDE];
% for f in range(3):
    {
        ${across(f)}
        EACH(j, 0, NFP) {
            const real_v incoming = GATHER(outgoing, (from - j * LANES));
            flux[KEPT(${f} * NFP + j)] = weight
                * (own[HERE(${f} * NFP + j)] - CHOOSE(wall, (real_v)(0), incoming));
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
