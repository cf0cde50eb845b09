## Sources: what is added to Ez after a stage.
##
## The right-hand side is linear in the sources, so adding them to the residual and the field after
## the stage kernel gives what adding them to the right-hand side inside it would give.
<%namespace name="system" file="${context['equations']}.cl.mako"/>
<%namespace name="add" file="add.cl.mako"/>
<% ez = system.module.FIELDS.index("ez") %>
// dEz/dt += sum over entries of rate * amplitude of the drive, at each of some nodes.  A node that
// several drives share appears once, with several entries starts[i] .. starts[i + 1] - 1.
kernel void drive_nodes(
    const int n_items,
    global real *fields, global real *residual, ${add.traces()}
    global const int *restrict elements, global const int *restrict nodes,
    global const int *restrict starts, global const int *restrict drives,
    global const real *restrict rates, global const real *restrict amplitudes,
    const real dt, const real b, const int first)
{
    if (get_global_id(0) >= n_items) return;
    const int i = get_global_id(0);
    const int k = elements[i], n = nodes[i], begin = starts[i], end = starts[i + 1];
    // Asked for before they are needed, so that one wait does for all.
    const real old_ez = FIELD(fields, k, ${ez}, n), old_step = FIELD(residual, k, ${ez}, n);
% if publishes:
    const int slot = face_slots[2 * n], other_slot = face_slots[2 * n + 1];
    const real old_trace = slot < 0 ? 0 : TRACE(traces, k, slot, 0);
    const real old_other = other_slot < 0 ? 0 : TRACE(traces, k, other_slot, 0);
% endif
    real rate = 0;
    for (int entry = begin; entry < end; ++entry)
        rate += rates[entry] * amplitudes[first + drives[entry]];
    const real change = b * dt * rate;
    FIELD(residual, k, ${ez}, n) = old_step + dt * rate;
    FIELD(fields, k, ${ez}, n) = old_ez + change;
% if publishes:
    // As add_to_ez does.
    if (slot >= 0) TRACE(traces, k, slot, 0) = old_trace + change;
    if (other_slot >= 0) TRACE(traces, k, other_slot, 0) = old_other + change;
% endif
}

// Ez += value, once, at some distinct nodes.
kernel void bump_nodes(
    const int n_items,
    global real *fields, ${add.traces()} global const int *restrict elements,
    global const int *restrict nodes, global const real *restrict values)
{
    if (get_global_id(0) >= n_items) return;
    const int i = get_global_id(0);
    add_to_ez(fields, ${add.to_traces()} elements[i], nodes[i], values[i]);
}

// dEz/dt += strength * amplitude * exp(-d^2 / (2 radius^2)) at the nodes of some elements, d the
// distance from the nearest of some places.  ``path`` has, for every stage and every moment at which it
// looks, the amplitude, the places and the share that is taken.
kernel void drive_moving(
    const int n_items,
    global real *fields, global real *residual, ${add.traces()}
    global const int *restrict elements, global const real *restrict strengths,
    global const real *restrict positions, global const real *restrict path,
    const real inverse_radius, const real reach, const int places, const int looks,
    const real dt, const real b, const int first)
{
    if (get_global_id(0) >= n_items) return;
    const int k = elements[get_global_id(0) / NP], n = get_global_id(0) % NP;
    if (k < 0) return;
    const real x = AT(positions, 2 * NP, k, n), y = AT(positions, 2 * NP, k, NP + n);
    real shape = 0;
    for (int look = 0; look < looks; ++look) {
        global const real *now = path + first + (2 + 2 * places) * look;
        real square = reach * reach;
        for (int i = 0; i < places; ++i) {
            const real dx = (x - now[1 + 2 * i]) * inverse_radius;
            const real dy = (y - now[2 + 2 * i]) * inverse_radius;
            square = min(square, dx * dx + dy * dy);
        }
        if (square < reach * reach) shape += now[0] * now[1 + 2 * places] * exp(-square / 2);
    }
    if (shape == 0) return;
    const real rate = strengths[k] * shape;
    FIELD(residual, k, ${ez}, n) += dt * rate;
    add_to_ez(fields, ${add.to_traces()} k, n, b * dt * rate);
}
