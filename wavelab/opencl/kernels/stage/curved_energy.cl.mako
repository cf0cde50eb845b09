## Integral of the energy density on curved elements, with a factor of the mass matrix for each; see
## inspect.cl.mako.
<%namespace name="system" file="${context['equations']}.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
kernel void dense_energy(
    const int n_items,
    global const real *restrict fields, ${constants.arguments("real")},
    global const real *restrict factors, global real *restrict energy, const int first)
{
    if (get_global_id(0) >= n_items) return;
    const int own = get_global_id(0), k = first + own;
    real squared[N_FIELDS] = {0};
    factors += own * NP * NP;
    for (int f = 0; f < N_FIELDS; ++f) {
        real weighted[NP] = {0};
        for (int m = 0; m < NP; ++m) {
            const real value = ${system.energy_value()};
            for (int n = 0; n < NP; ++n) weighted[n] += factors[m * NP + n] * value;
        }
        for (int n = 0; n < NP; ++n) squared[f] += weighted[n] * weighted[n];
    }
    ${system.energy_sum()}
    energy[k] = weighted / 2;
}
