## Sources: what is added to Ez after a stage.
##
## The right-hand side is linear in the sources, so adding them to the residual and the field after
## the stage kernel gives what adding them to the right-hand side inside it would give.
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="add" file="add.cl.mako"/>
<% ez = system.module.FIELDS.index("ez") %>
// dEz/dt += sum over entries of rate * amplitude of the drive, at each of some nodes.  A node that
// several drives share appears once, with several entries starts[i] .. starts[i + 1] - 1.
kernel void drive_nodes(
    global real *fields, global real *residual, ${add.traces()}
    global const int *restrict elements, global const int *restrict nodes,
    global const int *restrict starts, global const int *restrict drives,
    global const real *restrict rates, global const real *restrict amplitudes,
    const real dt, const real b, const int first)
{
    const int i = get_global_id(0);
    const int k = elements[i], n = nodes[i];
    real rate = 0;
    for (int entry = starts[i]; entry < starts[i + 1]; ++entry)
        rate += rates[entry] * amplitudes[first + drives[entry]];
    FIELD(residual, k, ${ez}, n) += dt * rate;
    add_to_ez(fields, ${add.to_traces()} k, n, b * dt * rate);
}

// Ez += value, once, at some distinct nodes.
kernel void bump_nodes(
    global real *fields, ${add.traces()} global const int *restrict elements,
    global const int *restrict nodes, global const real *restrict values)
{
    const int i = get_global_id(0);
    add_to_ez(fields, ${add.to_traces()} elements[i], nodes[i], values[i]);
}
