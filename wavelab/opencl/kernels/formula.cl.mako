## A current density given as a formula of x, y and t: ``jz`` is an expression printed from the
## checked tree of the formula, never text of the user.
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="add" file="add.cl.mako"/>
<%include file="${layout}.cl.mako"/>
<%include file="add.cl.mako"/>
<%include file="functions.cl.mako"/>
kernel void drive_formula(
    global real *fields, global real *residual, ${add.traces()}
    ${constants.arguments("real")}, global const real *restrict positions,
    const real dt, const real b, const real t)
{
    const int k = get_global_id(0);
    const real inverse_epsilon = ${constants.at("k", "inverse_epsilon")};
    for (int n = 0; n < NP; ++n) {
        const real x = AT(positions, 2 * NP, k, n);
        const real y = AT(positions, 2 * NP, k, NP + n);
        const real rate = -inverse_epsilon * (${jz});
        FIELD(residual, k, ${system.module.FIELDS.index("ez")}, n) += dt * rate;
        add_to_ez(fields, ${add.to_traces()} k, n, b * dt * rate);
    }
}
