## What is added to several fields, between stages, and what elements publish after that.
##   publishes   whether elements exchange traces, which have to follow
<%namespace name="system" file="${context['equations']}.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<% fields = system.module.FIELDS %>
// d/dt of fields += sum over entries of rate * amplitude of the drive, each field of a node once, with
// the entries starts[i] .. starts[i + 1] - 1.
kernel void drive_fields(
    const int n_items,
    global real *fields, global real *residual,
    global const int *restrict elements, global const int *restrict nodes,
    global const int *restrict components, global const int *restrict starts,
    global const int *restrict drives, global const real *restrict rates,
    global const real *restrict amplitudes, const real dt, const real b, const int first)
{
    if (get_global_id(0) >= n_items) return;
    const int i = get_global_id(0);
    const int k = elements[i], n = nodes[i], c = components[i];
    real rate = 0;
    for (int entry = starts[i]; entry < starts[i + 1]; ++entry)
        rate += rates[entry] * amplitudes[first + drives[entry]];
    FIELD(residual, k, c, n) += dt * rate;
    FIELD(fields, k, c, n) += b * dt * rate;
}

// fields += values, once, at some distinct nodes.
kernel void ping_fields(
    const int n_items,
    global real *fields, global const int *restrict elements, global const int *restrict nodes,
    global const int *restrict components, global const real *restrict values)
{
    if (get_global_id(0) >= n_items) return;
    const int i = get_global_id(0);
    FIELD(fields, elements[i], components[i], nodes[i]) += values[i];
}
% if publishes:

// What some elements publish, a work item for each of their face nodes.
kernel void publish_some(
    const int n_items,
    global const real *restrict fields, global real *restrict traces,
    ${constants.arguments("real")}, global const int *restrict listed)
{
    if (get_global_id(0) >= n_items) return;
    const int k = listed[get_global_id(0) / (3 * NFP)], slot = get_global_id(0) % (3 * NFP);
    const int face = slot / NFP, n = face_nodes[slot];
% for name in metric:
    const real ${name} = ${constants.at("k", name)};
% endfor
    const real scaled_x = face == 0 ? -ds_dx : face == 1 ? dr_dx + ds_dx : -dr_dx;
    const real scaled_y = face == 0 ? -ds_dy : face == 1 ? dr_dy + ds_dy : -dr_dy;
    const real scale = sqrt(scaled_x * scaled_x + scaled_y * scaled_y);
    const real normal_x = scaled_x / scale, normal_y = scaled_y / scale;
% for f, name in enumerate(fields):
    const real new_${name} = FIELD(fields, k, ${f}, n);
% endfor
    ${system.outgoing_of()}
% for c, name in enumerate(system.module.TRACES[rank_one]):
    TRACE(traces, k, slot, ${c}) = out_${name};
% endfor
}
% endif
