## Running sums over time: value times a complex factor for each frequency, real and imaginary part
## apart.  The factors of a step are factors[first + 2 f] and the one after.
##   lanes           elements side by side in the fields
##   n_frequencies   how many sums each value has
<%include file="${layout}.cl.mako"/>
<%def name="add(value, i, n)">
% for f in range(n_frequencies):
    sums[${2 * f} * ${n} + ${i}] += factors[first + ${2 * f}] * ${value};
    sums[${2 * f + 1} * ${n} + ${i}] += factors[first + ${2 * f + 1}] * ${value};
% endfor
</%def>
// At points: the field ``components[p]`` of element ``elements[p]``, interpolated.
kernel void transform_points(
    const int n_items,
    global const real *restrict fields, global const int *restrict elements,
    global const real *restrict weights, global const int *restrict components,
    global const real *restrict factors, global real *restrict sums,
    const int n_points, const int squared, const int first)
{
    if (get_global_id(0) >= n_items) return;
    const int p = get_global_id(0);
    const int k = elements[p], c = components[p];
    real value = 0;
    for (int n = 0; n < NP; ++n) value += weights[p * NP + n] * FIELD(fields, k, c, n);
    if (squared) value *= value;
    ${add("value", "p", "n_points")}
}

// At the nodes of elements, a work item each, so that neighbours read what lies side by side:
// sums are [frequency][part][component][block of elements][node][lane].
kernel void transform_nodes(
    const int n_items,
    global const real *restrict fields, global const int *restrict elements,
    global const int *restrict components, global const real *restrict factors,
    global real *restrict sums, const int n_components, const int n_values,
    const int squared, const int first)
{
    if (get_global_id(0) >= n_items) return;
    const int i = get_global_id(0);
    const int k = elements[i / (NP * ${lanes}) * ${lanes} + i % ${lanes}];
    const int n = i / ${lanes} % NP;
    const long all = (long)n_components * n_values;
    for (int c = 0; c < n_components; ++c) {
        real value = FIELD(fields, k, components[c], n);
        if (squared) value *= value;
        const long at = (long)c * n_values + i;
        ${add("value", "at", "all")}
    }
}
