## The same as formula.cl.mako for the variant with a work item per node.
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<% ez = system.module.FIELDS.index("ez") %>
<%include file="${layout}.cl.mako"/>
<%include file="functions.cl.mako"/>
kernel void drive_formula(
    global real *restrict fields, global real *restrict residual, ${constants.arguments("real")},
    global const real *restrict positions, global const real *restrict c,
    const real dt, const real b, const real t)
{
    const int k = get_global_id(0) / NP, n = get_global_id(0) % NP;
    const real x = AT(positions, 2 * NP, k, n), y = AT(positions, 2 * NP, k, NP + n);
    const real change = -dt * ${constants.at("k", "inverse_epsilon")} * (${jz});
    FIELD(residual, k, ${ez}, n) += change;
    FIELD(fields, k, ${ez}, n) += b * change;
}
