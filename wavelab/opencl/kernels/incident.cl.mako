## Waves that come in through faces: a work item per listed element, which lifts the fluxes of its
## listed faces, one after the other.
##
##   f_of_t   the waveform, an expression printed from the checked tree of a formula
##
## Flux coefficients lie as [listed face][field][face node], delays as [listed face][face node], the
## lift as [face node 0 .. 3 N_fp - 1][node].
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="add" file="add.cl.mako"/>
<% fields = system.module.FIELDS %>
<%include file="${layout}.cl.mako"/>
<%include file="add.cl.mako"/>
<%include file="functions.cl.mako"/>
real waveform(const real t)
{
    return ${f_of_t};
}

kernel void drive_faces(
    global real *fields, global real *residual, ${add.traces()} ${constants.arguments("real")},
    global const int *restrict elements, global const int *restrict starts,
    global const int *restrict faces, global const real *restrict flux,
    global const real *restrict delays, global const real *restrict lift,
    const real dt, const real b, const real t)
{
    const int i = get_global_id(0), k = elements[i];
    real ${", ".join(f"rate_{name}[NP] = {{0}}" for name in fields)};
    for (int entry = starts[i]; entry < starts[i + 1]; ++entry) {
        for (int j = 0; j < NFP; ++j) {
            const real value = waveform(t - delays[entry * NFP + j]);
% for f, name in enumerate(fields):
            const real flux_${name} = value * flux[(entry * N_FIELDS + ${f}) * NFP + j];
% endfor
            global const real *column = lift + (faces[entry] * NFP + j) * NP;
            for (int n = 0; n < NP; ++n) {
% for name in fields:
                rate_${name}[n] += column[n] * flux_${name};
% endfor
            }
        }
    }
    for (int n = 0; n < NP; ++n) {
% for f, name in enumerate(fields):
        FIELD(residual, k, ${f}, n) += dt * rate_${name}[n];
% endfor
        add_to_fields(
            fields, ${add.to_traces()} ${constants.passed()}, k, n,
            ${", ".join(f"b * dt * rate_{name}[n]" for name in fields)});
    }
}
