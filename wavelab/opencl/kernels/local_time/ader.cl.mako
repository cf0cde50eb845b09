## Local time stepping: one step of the elements of one cluster, in two kernels, the first of which is in
## ader_predict.cl.mako.  The method, with its formulas, is in wavelab/physics/time/ader.py; the equations
## come from ``system``.
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
##   auxiliary_coefficients, auxiliary_variables, rates   of auxiliary equations, see auxiliary.cl.mako; empty without.  Here
##              coefficients and memory lie as [listed block][entry][node][lane], and ``listed`` says
##              which listed block each group has.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="parts" file="ader_parts.cl.mako"/>
<%namespace name="shared" file="ader_block.cl.mako"/>
<%namespace name="prediction" file="ader_predict.cl.mako"/>
<%include file="${layout}.cl.mako"/>
<%
    fields = system.module.FIELDS
    traces, fluxes = system.module.TRACES[rank_one], system.module.FLUXES[rank_one]
    tile = config.tile
    n_tiles = -(-nodes_per_element // tile)
    padded = n_tiles * tile != nodes_per_element
%>

${parts.functions("real_v")}
${prediction.predict(False)}
${prediction.predict(True)}

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

<%def name="correct_body(number)">
    ${shared.block(number)}
    SHARED real_v ${", ".join(f"flux_{name}[3 * NFP * BLOCK_STRIDE]" for name in fluxes)};
% for f in range(3):
    {
        ${shared.across(f)}
        EACH(j, 0, NFP) {
            const int slot = ${f} * NFP + j;
% for c, name in enumerate(traces):
            const real_v across_${name} = ${shared.gathered("outgoing", c)};
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
        ${shared.lifted()}
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

% if config.alone and not rates:
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
                ${prediction.predict_body("blocks[at]", False)}
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
    const int n_items,
    global const int *restrict blocks, ${parts.source_buffers("real")})
{
    if (get_global_id(0) >= n_items) return;
    const int size = N_FIELDS * NP * LANES;
    const int i = blocks[get_global_id(0) / size] * size + get_global_id(0) % size;
% for point in range(n_points):
    sources${point}[i] = 0;
% endfor
}
