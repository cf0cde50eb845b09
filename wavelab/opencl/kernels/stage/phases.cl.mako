## What comes in through edges where waves have a phase: a sum of what both copies of an element beyond
## publish, its real and its imaginary part.  It is written behind the traces of all elements, as that
## of elements of its own, before a stage that reads it there.
##
## from     [face][copy]: 3 times the number of an element plus that of its face
## weights  [face][copy]
kernel void turn_traces(
    const int n_items,
    global real *traces, global const int *from, global const real *weights, const int first)
{
    if (get_global_id(0) >= n_items) return;
    const int g = get_global_id(0) / NFP, j = get_global_id(0) % NFP;
    const int one = from[2 * g], other = from[2 * g + 1];
    for (int c = 0; c < N_TRACES; ++c)
        TRACE(traces, first + g / 3, g % 3 * NFP + j, c) =
            weights[2 * g] * TRACE(traces, one / 3, one % 3 * NFP + j, c)
            + weights[2 * g + 1] * TRACE(traces, other / 3, other % 3 * NFP + j, c);
}
