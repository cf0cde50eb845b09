## A current density given as a formula of x, y and t: ``jz`` is an expression printed from the
## checked tree of the formula with the numbers c, never text of the user.  A stage takes shares of it at
## ``looks`` moments: ``moments`` has, from ``first`` on, the time and the share of each.
##
## Where elements lie side by side the formula is evaluated for as many at once as the stage kernel
## takes: what a processor has vectors for costs it no more than one number would.
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="lanes" file="lanes.cl.mako"/>
<% ez = system.module.FIELDS.index("ez") %>
<%include file="${layout}.cl.mako"/>
<%include file="functions.cl.mako"/>
% if uses_bessel:
real_v bessel_j(const int order, const real_v x)
{
% if config.width > 1:
    return (real_v)(${", ".join(f"bessel_j_of_one(order, x.s{lane:x})" for lane in range(config.width))});
% else:
    return bessel_j_of_one(order, x);
% endif
}

% endif
kernel ${lanes.attributes()}
void drive_formula(
    global real_v *restrict fields, global real_v *restrict residual,
    global real_v *restrict traces, ${constants.arguments("real_v")},
    global const real_v *restrict positions, global const real *restrict c,
    global const real *restrict moments, const real dt, const real b, const int first)
{
    ${lanes.place()}
    fields += block * FIELD_BLOCK;
    residual += block * FIELD_BLOCK;
    traces += block * TRACE_BLOCK;
    positions += block * 2 * NP * BLOCK_STRIDE;
    ${constants.place()}
    const real_v scale = -dt * ${constants.here("inverse_epsilon")};
    EACH(n, 0, NP) {
        const real_v x = positions[HERE(n)], y = positions[HERE(NP + n)];
        real_v change = 0;
        for (int look = first; look < first + ${2 * looks}; look += 2) {
            const real_v t = moments[look];
            change += scale * moments[look + 1] * (${jz});
        }
        residual[HERE(${ez} * NP + n)] += change;
        fields[HERE(${ez} * NP + n)] += b * change;
        // The first trace is Ez plus something else.
        for (int side = 0; side < 2; ++side) {
            const int slot = face_slots[2 * n + side];
            if (slot < 0) break;
            traces[TRACE_HERE(slot, 0)] += b * change;
        }
    }
}
