## Waves that come in through faces: a work item per listed element, which lifts the fluxes of its
## listed faces, one after the other; or a group of items, each for a face node and then for a node.
##
##   shared   items of a group, 0 where one does all of an element
##   f_of_t   the waveform, an expression printed from the checked tree of a formula with the numbers c
##   sampled  whether the waveform is a spline: c has samples per time, how many coefficients, and
##            these
##   looks    moments at which a stage looks at it: ``moments`` has time and share of each; of a
##            spline the time in samples, in two parts
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
<% columns = 3 if sampled else 2 %>
% if sampled:
real spline(const real whole, const real part, global const real *restrict c)
{
    const real below = floor(part), at = whole + below, v = part - below;
    if (!(at >= 2 && at < c[1] - 3)) return 0;
    const real w = 1 - v, v2 = v * v, w2 = w * w;
    // B-splines of degree 5 around both neighbours, in pairs of equal distance.
    const real near_v = (real)0.55 + v2 * ((real)-0.5 + v2 * ((real)0.25 - v / 12));
    const real near_w = (real)0.55 + w2 * ((real)-0.5 + w2 * ((real)0.25 - w / 12));
    const real far_v = v2 * v2 * v / 120, far_w = w2 * w2 * w / 120;
    const real p = 1 + v, q = 1 + w;
    const real middle_p = (real)0.425 + p * ((real)0.625 + p * ((real)-1.75 + p * ((real)1.25
                          + p * ((real)-0.375 + p / 24))));
    const real middle_q = (real)0.425 + q * ((real)0.625 + q * ((real)-1.75 + q * ((real)1.25
                          + q * ((real)-0.375 + q / 24))));
    global const real *restrict s = c + 2 + (int)at;
    return s[-2] * far_w + s[-1] * middle_p + s[0] * near_v + s[1] * near_w + s[2] * middle_q
           + s[3] * far_v;
}

real waveform(const real whole, const real part, global const real *restrict c)
% else:
real waveform(const real t, global const real *restrict c)
% endif
{
    return ${f_of_t};
}

// What comes in at node j of the face of an entry.
real incoming(
    const int entry, const int j, global const real *restrict delays,
    global const real *restrict moments, global const real *restrict c)
{
    real value = 0;
    for (int look = 0; look < ${columns * looks}; look += ${columns})
% if sampled:
        value += moments[look + 2] * waveform(
            moments[look], moments[look + 1] - delays[entry * NFP + j] * c[0], c);
% else:
        value += moments[look + 1] * waveform(moments[look] - delays[entry * NFP + j], c);
% endif
    return value;
}

## At node n of element k, whose rates of change are given.
<%def name="change(rate)">
% for f, name in enumerate(fields):
        const real change_${name} = b * dt * ${rate(name)};
        FIELD(residual, k, ${f}, n) += dt * ${rate(name)};
        FIELD(fields, k, ${f}, n) += change_${name};
% endfor
% if publishes:
        for (int side = 0; side < 2; ++side) {
            const int slot = face_slots[2 * n + side];
            if (slot < 0) break;
            const int face = slot / NFP;
            const real change_h = normal_x[face] * change_hy - normal_y[face] * change_hx;
% if rank_one:
            TRACE(traces, k, slot, 0) += change_ez - impedance * change_h;
% else:
            TRACE(traces, k, slot, 0) += change_ez;
            TRACE(traces, k, slot, 1) += change_h;
% endif
        }
% endif
</%def>\

kernel ${f"__attribute__((reqd_work_group_size({shared}, 1, 1)))" if shared else ""}
void drive_faces(
    ${"" if shared else "const int n_items, "}global real *fields, global real *residual, ${add.traces()} ${constants.arguments("real")},
    global const int *restrict elements, global const int *restrict starts,
    global const int *restrict faces, global const real *restrict flux,
    global const real *restrict delays, global const real *restrict lift,
    global const real *restrict c, global const real *restrict moments,
    const real dt, const real b, const int first)
{
% if not shared:
    if (get_global_id(0) >= n_items) return;
% endif
    const int i = ${"get_group_id(0)" if shared else "get_global_id(0)"}, k = elements[i];
    const int begin = starts[i], end = starts[i + 1];
    moments += first;
% if publishes:
    ${metric_at_k()}
% endif
% if shared:
    local real values[3 * NFP];
    const int s = get_local_id(0), n = s;
    if (s < (end - begin) * NFP) values[s] = incoming(begin + s / NFP, s % NFP, delays, moments, c);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (n < NP) {
        real ${", ".join(f"rate_{name} = 0" for name in fields)};
        for (int entry = begin; entry < end; ++entry) {
            global const real *column = lift + faces[entry] * NFP * NP + n;
            for (int j = 0; j < NFP; ++j) {
                const real lifted = column[j * NP] * values[(entry - begin) * NFP + j];
% for f, name in enumerate(fields):
                rate_${name} += lifted * flux[(entry * N_FIELDS + ${f}) * NFP + j];
% endfor
            }
        }
        ${change(lambda name: f"rate_{name}")}
    }
% else:
    real ${", ".join(f"rate_{name}[NP] = {{0}}" for name in fields)};
    for (int entry = begin; entry < end; ++entry) {
        for (int j = 0; j < NFP; ++j) {
            const real value = incoming(entry, j, delays, moments, c);
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
        ${change(lambda name: f"rate_{name}[n]")}
    }
% endif
}
<%def name="metric_at_k()">
% if rank_one:
    const real impedance = ${constants.at("k", "impedance")};
% endif
% for axis in ("x", "y"):
    const real dr_d${axis} = ${constants.at("k", f"dr_d{axis}")}, ds_d${axis} = ${constants.at("k", f"ds_d{axis}")};
    real normal_${axis}[3] = {-ds_d${axis}, dr_d${axis} + ds_d${axis}, -dr_d${axis}};
% endfor
    for (int face = 0; face < 3; ++face) {
        const real length = hypot(normal_x[face], normal_y[face]);
        normal_x[face] /= length;
        normal_y[face] /= length;
    }
</%def>
