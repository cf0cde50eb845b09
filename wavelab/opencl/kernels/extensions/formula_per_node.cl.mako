## The same as formula.cl.mako for the variant with a work item per node.
<%namespace name="system" file="${context['equations']}.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<% ez = system.module.FIELDS.index("ez") %>
<%include file="${layout}.cl.mako"/>
<%include file="functions.cl.mako"/>
kernel void drive_formula(
    const int n_items,
    global real *restrict fields, global real *restrict residual, ${constants.arguments("real")},
    global const real *restrict positions, global const real *restrict c,
    global const real *restrict moments, const real dt, const real b, const int first)
{
    if (get_global_id(0) >= n_items) return;
    const int k = get_global_id(0) / NP, n = get_global_id(0) % NP;
    const real x = AT(positions, 2 * NP, k, n), y = AT(positions, 2 * NP, k, NP + n);
    const real scale = -dt * ${constants.at("k", "inverse_epsilon")};
    real change = 0;
    for (int look = first; look < first + ${2 * looks}; look += 2) {
        const real t = moments[look];
        change += scale * moments[look + 1] * (${jz});
    }
    FIELD(residual, k, ${ez}, n) += change;
    FIELD(fields, k, ${ez}, n) += b * change;
}
