## Reading the fields: what is shown, energy, probes.  One work item per element or probe.
<%namespace name="system" file="${context['equations']}.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<% fields = system.module.FIELDS %>

% for quantity, expression in system.module.QUANTITIES.items():
kernel void view_${quantity}(
    const int n_items,
    global const real *restrict fields, ${constants.arguments("real")},
    global float *restrict shown)
{
    if (get_global_id(0) >= n_items) return;
    const int k = get_global_id(0);
% for name in system.module.SHOWN_BY:
    const real ${name} = ${constants.at("k", name)};
% endfor
    for (int n = 0; n < NP; ++n) {
% for f, name in enumerate(fields):
        const real ${name} = FIELD(fields, k, ${f}, n);
% endfor
        shown[k * NP + n] = (float)(${expression});
    }
}

% endfor
// Integral of the energy density.  With the mass matrix M = L L^T, the integral of u^2 is the sum of
// squares of L^T u; the inner loop runs along a row of L, which a processor takes as vectors.
kernel void element_energy(
    const int n_items,
    global const real *restrict fields, ${constants.arguments("real")},
    global const real *restrict factor, global real *restrict energy)
{
    if (get_global_id(0) >= n_items) return;
    const int k = get_global_id(0);
    real squared[N_FIELDS] = {0};
    for (int f = 0; f < N_FIELDS; ++f) {
        real weighted[NP] = {0};
        for (int m = 0; m < NP; ++m) {
            const real value = ${system.energy_value()};
            for (int n = 0; n < NP; ++n) weighted[n] += factor[m * NP + n] * value;
        }
        for (int n = 0; n < NP; ++n) squared[f] += weighted[n] * weighted[n];
    }
    const real jacobian = 1 / (
        ${constants.at("k", "dr_dx")} * ${constants.at("k", "ds_dy")}
        - ${constants.at("k", "dr_dy")} * ${constants.at("k", "ds_dx")});
    ${system.energy_sum()}
    energy[k] = jacobian / 2 * weighted;
}

// Where the field is not finite: the number of the look that has seen it first.
kernel void watch_elements(
    const int n_items,
    global const real *restrict fields, global int *restrict seen, const int look)
{
    if (get_global_id(0) >= n_items) return;
    const int k = get_global_id(0);
    if (seen[1 + k] == 0 && !isfinite(FIELD(fields, k, ${fields.index(system.module.WATCHED)}, 0)))
        seen[0] = seen[1 + k] = look;
}

// The fields at probes: samples[first + p].
kernel void sample_points(
    const int n_items,
    global const real *restrict fields, global const int *restrict elements,
    global const real *restrict weights, global const int *restrict components,
    global real *restrict samples, const int first)
{
    if (get_global_id(0) >= n_items) return;
    const int p = get_global_id(0);
    const int k = elements[p], c = components[p];
    real sum = 0;
    for (int n = 0; n < NP; ++n) sum += weights[p * NP + n] * FIELD(fields, k, c, n);
    samples[first + p] = sum;
}
