## Traces of the borders of a subdomain, in and out of a buffer that travels.
<%namespace name="lanes" file="lanes.cl.mako"/>
${lanes.types()}

kernel void pack_traces(
    const int n_items,
    global const real *restrict traces, global const int *restrict places,
    global real *restrict packed)
{
    if (get_global_id(0) >= n_items) return;
    const int i = get_global_id(0);
    packed[i] = traces[places[i]];
}

kernel void unpack_traces(
    const int n_items,
    global real *restrict traces, global const int *restrict places,
    global const real *restrict packed)
{
    if (get_global_id(0) >= n_items) return;
    const int i = get_global_id(0);
    traces[places[i]] = packed[i];
}
