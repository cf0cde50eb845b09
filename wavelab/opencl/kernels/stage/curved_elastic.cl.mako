## Elastic waves on elements with arcs among their faces, a whole stage as curved.cl.mako is one of scalar
## waves; fields, flux and names are those of elastic.cl.mako.  On an arc the flux is computed at Gauss
## points, each with its own normal (numerics/mesh/curved_faces.py); there and on straight faces, whose
## points are their nodes, the waves at the points are what is published.
##
## matrices  [element][matrix][column][row]: diff_x, diff_y, lift, then [face][column][row], to_points, then
##           [x, y][point] the normals
## outside   [element][face]: 3 times the neighbour's number plus the number of its face; -1 at a wall
<%namespace name="system" file="elastic.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="items" file="curved_items.cl.mako"/>
<%
    fields = system.module.FIELDS
    traces = system.module.TRACES[rank_one]
    waves = (("p", "n"), ("s", "t"))
    #: What is lifted: fluxes of the traction for the velocity, of the velocity for the strain.
    lifted = ("push_x", "push_y", "strain_xx", "strain_yy", "strain_xy")
%>
<%include file="curved_items.cl.mako"/>
<%def name="place()">
    const int own = DENSE_ELEMENT, k = first + own;
    matrices += own * DENSE_SIZE;
    global const real *diff_x = matrices, *diff_y = diff_x + ROW * NP, *lift = diff_y + ROW * NP;
    global const real *to_points = lift + ROW * 3 * NFP, *normals = to_points + 3 * NFP * FACE_ROW;
% for w, _ in waves:
    const real impedance_${w} = ${constants.at("k", f"impedance_{w}")};
% endfor
% for name in fields:
    TOGETHER real ${name}[NP];
% endfor
    TOGETHER real vn_here[3 * NFP], vt_here[3 * NFP], tn_here[3 * NFP], tt_here[3 * NFP];
</%def>

<%def name="load()">
    EACH_OF(n, NP) {
% for f, name in enumerate(fields):
        ${name}[n] = FIELD(fields, k, ${f}, n);
% endfor
    }
    MEET;
</%def>

## Velocity and traction along normal and tangent at point s, from the fields there.
<%def name="along(value)">
            const real nx = normals[s], ny = normals[3 * NFP + s];
            const real tx = nx * ${value("sxx")} + ny * ${value("sxy")}, ty = nx * ${value("sxy")} + ny * ${value("syy")};
            vn_here[s] = nx * ${value("vx")} + ny * ${value("vy")};
            vt_here[s] = nx * ${value("vy")} - ny * ${value("vx")};
            tn_here[s] = nx * tx + ny * ty;
            tt_here[s] = nx * ty - ny * tx;
</%def>

## The same at all points of the faces, from the nodal values.
<%def name="at_points()">
% if grouped:
    EACH_OF(s, 3 * NFP) {
            real ${", ".join(f"at_{name} = 0" for name in fields)};
#pragma unroll
            for (int j = 0; j < NFP; ++j) {
                const int node = s / NFP * NFP + j, m = face_nodes[node];
                const real weight = to_points[node * FACE_ROW + s % NFP];
% for name in fields:
                at_${name} += weight * ${name}[m];
% endfor
            }
            ${along("at_{}".format)}
    }
% else:
    for (int face = 0; face < 3; ++face) {
        real_w ${", ".join(f"at_{name}[ROWS_OF_FACE] = {{0}}" for name in fields)};
        for (int j = 0; j < NFP; ++j) {
            const int node = face * NFP + j, m = face_nodes[node];
            for (int row = 0; row < ROWS_OF_FACE; ++row) {
                const real_w weight = VECTOR(to_points, node * ROWS_OF_FACE + row);
% for name in fields:
                at_${name}[row] += weight * ${name}[m];
% endfor
            }
        }
        for (int i = 0; i < NFP; ++i) {
            const int s = face * NFP + i;
            ${along("((real *)at_{})[i]".format)}
        }
    }
% endif
</%def>

<%def name="publish()">
    ${at_points()}
    EACH_OF(s, 3 * NFP) {
% if rank_one:
            TRACE(new_traces, k, s, 0) = impedance_p * vn_here[s] - tn_here[s];
            TRACE(new_traces, k, s, 1) = impedance_s * vt_here[s] - tt_here[s];
% else:
% for c, name in enumerate(traces):
            TRACE(new_traces, k, s, ${c}) = ${name}_here[s];
% endfor
% endif
    }
</%def>

<%def name="of_face(name)">\
(face == 0 ? ${constants.at("k", f"{name}_0")} : face == 1 ? ${constants.at("k", f"{name}_1")} : ${constants.at("k", f"{name}_2")})\
</%def>

## What the two waves change at point s: of_vn, of_vt the velocity, of_tn, of_tt the traction.
<%def name="flux()">
% for w, n in waves:
            const real reflection_${w} = ${of_face(f"reflection_{w}")}, outside_${w} = ${of_face(f"outside_{w}")};
            const real weight_${w} = ${of_face(f"weight_{w}")};
            const real v${n} = v${n}_here[s], t${n} = t${n}_here[s];
% if rank_one:
            const real beyond_${w} = wall ? reflection_${w} * (impedance_${w} * v${n} - t${n}) : -across_${w};
            const real of_v${n} = weight_${w} * (beyond_${w} - outside_${w} * v${n} - t${n});
            const real of_t${n} = impedance_${w} * of_v${n};
% else:
            const real upwinding_${w} = wall && fabs(reflection_${w}) < 1 ? 1 : upwinding;
            const real jump_v${n} = (wall ? reflection_${w} * v${n} : -across_v${n}) - v${n};
            const real jump_t${n} = (wall ? -reflection_${w} * t${n} : across_t${n}) - t${n};
            const real of_v${n} = weight_${w} * (outside_${w} * jump_v${n} + upwinding_${w} * jump_t${n});
            const real of_t${n} = weight_${w} * impedance_${w} * (jump_t${n} + upwinding_${w} * outside_${w} * jump_v${n});
% endif
% endfor
</%def>

## The divergence of the stress in the rates of vx and vy, the strain in those of the stresses.
<%def name="add_volume()">
% if grouped:
    EACH_OF(row, NP) {
#pragma unroll
% endif
    for (int m = 0; m < NP; ++m) {
        ${items.each_row()} {
            const real_w dx = VECTOR(diff_x, m * ROWS_OF_NODES + row), dy = VECTOR(diff_y, m * ROWS_OF_NODES + row);
            RATE_ROW(vx) += dx * sxx[m] + dy * sxy[m];
            RATE_ROW(vy) += dx * sxy[m] + dy * syy[m];
            RATE_ROW(sxx) += dx * vx[m];
            RATE_ROW(syy) += dy * vy[m];
            RATE_ROW(sxy) += dy * vx[m] + dx * vy[m];
        }
    }
% if grouped:
    }
% endif
</%def>

<%def name="add_surface()">
% if grouped:
    EACH_OF(row, NP) {
#pragma unroll
% endif
    for (int j = 0; j < 3 * NFP; ++j) {
        ${items.each_row()} {
            const real_w l = VECTOR(lift, j * ROWS_OF_NODES + row);
% for name, of in zip(fields, lifted):
            RATE_ROW(${name}) += l * ${of}[j];
% endfor
        }
    }
% if grouped:
    }
% endif
</%def>

DENSE_KERNEL
void publish_dense(
    global const real *restrict fields, global real *restrict new_traces,
    ${constants.arguments("real")}, global const real *restrict matrices, const int first)
{
    ${place()}
    ${load()}
    ${publish()}
}

DENSE_KERNEL
void dense_elements(
    global real *restrict fields, global real *restrict residual,
    global const real *restrict traces, global real *restrict new_traces,
    ${constants.arguments("real")}, global const real *restrict matrices,
    global const int *restrict outside,
    const int first, const real upwinding, const real dt, const real a, const real b, const int keep_residual)
{
    ${place()}
    TOGETHER real ${", ".join(f"{name}[3 * NFP]" for name in lifted)};
    ${load()}
    ${at_points()}
    EACH_OF(s, 3 * NFP) {
            const int face = s / NFP, there = outside[own * 3 + face], wall = there < 0;
            real ${", ".join(f"across_{name} = 0" for name in traces)};
            if (!wall) {
% for c, name in enumerate(traces):
                // The neighbour runs through the face the other way.
                across_${name} = TRACE(traces, there / 3, there % 3 * NFP + NFP - 1 - s % NFP, ${c});
% endfor
            }
            ${flux()}
            const real nx = normals[s], ny = normals[3 * NFP + s];
            const real of_vx = nx * of_vn - ny * of_vt, of_vy = ny * of_vn + nx * of_vt;
            push_x[s] = nx * of_tn - ny * of_tt;
            push_y[s] = ny * of_tn + nx * of_tt;
            strain_xx[s] = nx * of_vx;
            strain_yy[s] = ny * of_vy;
            strain_xy[s] = ny * of_vx + nx * of_vy;
    }
    MEET;

% for name in fields:
    ${f"real rate_{name} = 0;" if grouped else f"real_w rate_{name}[ROWS_OF_NODES] = {{0}};"}
% endfor
    ${add_volume()}
    ${add_surface()}
    const real inverse_density = ${constants.at("k", "inverse_density")};
    const real lame = ${constants.at("k", "lame")}, shear = ${constants.at("k", "shear")};
    EACH_OF(n, NP) {
        const real grows = lame * (RATE(sxx) + RATE(syy));
        RATE(vx) *= inverse_density;
        RATE(vy) *= inverse_density;
        RATE(sxx) = grows + 2 * shear * RATE(sxx);
        RATE(syy) = grows + 2 * shear * RATE(syy);
        RATE(sxy) *= shear;
% for f, name in enumerate(fields):
        real step_${name} = dt * RATE(${name});
        if (a != 0) step_${name} += a * FIELD(residual, k, ${f}, n);
        if (keep_residual) FIELD(residual, k, ${f}, n) = step_${name};
        RATE(${name}) = ${name}[n] + b * step_${name};
        FIELD(fields, k, ${f}, n) = RATE(${name});
% endfor
    }
    MEET;
    EACH_OF(n, NP) {
% for name in fields:
        ${name}[n] = RATE(${name});
% endfor
    }
    MEET;
    ${publish()}
}

<%include file="curved_energy.cl.mako"/>
