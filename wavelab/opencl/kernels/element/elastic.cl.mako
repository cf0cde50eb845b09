## What is elastic waves in the stage kernel, in the words of maxwell_tm.cl.mako.
##
##     density dvx/dt = dsxx/dx + dsxy/dy     dsxx/dt = (lame + 2 shear) dvx/dx + lame dvy/dy
##     density dvy/dt = dsxy/dx + dsyy/dy     dsyy/dt = lame dvx/dx + (lame + 2 shear) dvy/dy
##                                            dsxy/dt = shear (dvx/dy + dvy/dx)
##
## The divergence of the stress is combined first: dsxx/dx + dsxy/dy = Dr tx_r + Ds tx_s with
## tx_r = rx sxx + ry sxy, so there are eight products with Dr and Ds, not ten.
##
## Faces.  Two waves travel across: p with the velocity v and the traction t along the normal, s with
## those along the tangent (-ny, nx).  Of each, Z its impedance, a the upwinding and [q] = outside minus
## inside,
##     v* - v- = (Z+ [v] + a [t]) / (Z + Z+)
##     t* - t- = Z ([t] + a Z+ [v]) / (Z + Z+)
## For a = 1 the second is Z times the first, and the neighbour is seen by Z+ v+ + t+ alone: two numbers
## per face node are exchanged and lifted, not four.  In its own frame, in which the velocity has the
## other sign, that is minus its outgoing wave Z v - t.  A wall of the reflection R has R (Z v- - t-)
## for Z+ v+ + t+.  The weights 1 / (Z + Z+) are 0 between fluids, which have no wave s.
<%!
FIELDS = ("vx", "vy", "sxx", "syy", "sxy")
OPERANDS = ("vx", "vy", "tx_r", "tx_s", "ty_r", "ty_s")
PRODUCTS = (
    ("vx_r", "r", "vx"), ("vx_s", "s", "vx"), ("vy_r", "r", "vy"), ("vy_s", "s", "vy"),
    ("div_x", "r", "tx_r"), ("div_x", "s", "tx_s"), ("div_y", "r", "ty_r"), ("div_y", "s", "ty_s"),
)
_STRESSES = FIELDS[2:]
DERIVATIVES = (
    *((v, m, tuple((s, f"{s}_by_{v}_{m}") for s in _STRESSES)) for v in ("vx", "vy") for m in "rs"),
    *((f"t{x}_{m}", m, ((f"v{x}", "step_density"),)) for x in "xy" for m in "rs"),
)
TRACES = {True: ("p", "s"), False: ("vn", "vt", "tn", "tt")}
FLUXES = {True: ("p", "s"), False: ("vn", "vt", "tn", "tt")}
#: Fluxes, and the fields that they are lifted to with their factors, called {factor}_face{number}.
LIFTED = {
    True: tuple((w, tuple((f, f"{f}_{w}") for f in FIELDS)) for w in "ps"),
    False: (
        *((f"v{w}", tuple((s, f"{s}_{'p' if w == 'n' else 's'}") for s in _STRESSES)) for w in "nt"),
        *((f"t{w}", tuple((v, f"{v}_{'n' if w == 'n' else 't'}") for v in ("vx", "vy"))) for w in "nt"),
    ),
}
#: Names of coefficients that what is shown depends on.
SHOWN_BY = ("inverse_density", "lame", "shear")
QUANTITIES = {
    "vx": "vx",
    "vy": "vy",
    "sxx": "sxx",
    "syy": "syy",
    "sxy": "sxy",
    "pressure": "-(sxx + syy) / 2",
    "h": "sqrt(vx * vx + vy * vy)",
    "energy": "((vx * vx + vy * vy) / inverse_density + (sxx + syy) * (sxx + syy) / (4 * (lame + shear)) + (shear > 0 ? ((sxx - syy) * (sxx - syy) / 4 + sxy * sxy) / shear : 0)) / 2",
}
#: Which field shows that a run went wrong.
WATCHED = "vy"
_WAVES = (("p", "n"), ("s", "t"))
%>

<%namespace name="constants" file="constants.cl.mako"/>
<%def name="metric()">
% for name in ("dr_dx", "dr_dy", "ds_dx", "ds_dy"):
    const real_v ${name} = ${constants.here(name)};
% endfor
</%def>

<%def name="element()">
% for name in ("inverse_density", "lame", "shear", "impedance_p", "impedance_s"):
    const real_v ${name} = ${constants.here(name)};
% endfor
% for axis in ("x", "y"):
    const real_v scaled_${axis}0 = -ds_d${axis};
    const real_v scaled_${axis}1 = dr_d${axis} + ds_d${axis};
    const real_v scaled_${axis}2 = -dr_d${axis};
% endfor
% for f in range(3):
% if compact:
    const real_v scale${f} = sqrt(scaled_x${f} * scaled_x${f} + scaled_y${f} * scaled_y${f});
% else:
    const real_v scale${f} = ${constants.here(f"face_scale_{f}")};
% endif
    const real_v inverse_scale${f} = 1 / scale${f};
    const real_v normal_x${f} = scaled_x${f} * inverse_scale${f};
    const real_v normal_y${f} = scaled_y${f} * inverse_scale${f};
% endfor
</%def>

## At node n, from the fields here_{field}.
<%def name="operands()">
        vx[KEPT(n)] = here_vx;
        vy[KEPT(n)] = here_vy;
% for m in "rs":
        tx_${m}[KEPT(n)] = d${m}_dx * here_sxx + d${m}_dy * here_sxy;
        ty_${m}[KEPT(n)] = d${m}_dx * here_sxy + d${m}_dy * here_syy;
% endfor
</%def>

## Velocity and traction along normal and tangent of face f, from those along x and y.
<%def name="along(f)">
            const real_v inside_vn = normal_x${f} * inside_vx + normal_y${f} * inside_vy;
            const real_v inside_vt = normal_x${f} * inside_vy - normal_y${f} * inside_vx;
            const real_v inside_tn = normal_x${f} * inside_tx + normal_y${f} * inside_ty;
            const real_v inside_tt = normal_x${f} * inside_ty - normal_y${f} * inside_tx;
</%def>

## At node n of face f, from the operands.
<%def name="inside_kept(f)">
            const real_v inside_vx = vx[KEPT(n)], inside_vy = vy[KEPT(n)];
% for x in "xy":
            const real_v inside_t${x} = (${(f"-t{x}_s[KEPT(n)]", f"t{x}_r[KEPT(n)] + t{x}_s[KEPT(n)]", f"-t{x}_r[KEPT(n)]")[f]}) * inverse_scale${f};
% endfor
            ${along(f)}
</%def>

## The same from the fields, which ``value`` gives by name.
<%def name="inside(f, value)">
            const real_v inside_vx = ${value("vx")}, inside_vy = ${value("vy")};
            const real_v inside_tx = normal_x${f} * ${value("sxx")} + normal_y${f} * ${value("sxy")};
            const real_v inside_ty = normal_x${f} * ${value("sxy")} + normal_y${f} * ${value("syy")};
            ${along(f)}
</%def>

<%def name="face(f)">
% for w, _ in _WAVES:
        const real_v reflection_${w} = ${constants.here(f"reflection_{w}_{f}")};
        const real_v outside_${w} = ${constants.here(f"outside_{w}_{f}")};
        const real_v weight_${w} = scale${f} * ${constants.here(f"weight_{w}_{f}")};
% if not rank_one:
        const int_v takes_${w} = wall & ${f"convert_int{config.width}(fabs(reflection_{w}) < 1)" if config.width > 1 else f"(fabs(reflection_{w}) < 1)"};
        const real_v upwinding_${w} = CHOOSE(takes_${w}, (real_v)1, (real_v)upwinding);
% endif
% endfor
</%def>

<%def name="flux(f)">
% for w, n in _WAVES:
% if rank_one:
            const real_v beyond_${w} = CHOOSE(wall, reflection_${w} * (impedance_${w} * inside_v${n} - inside_t${n}), -across_${w});
            const real_v ${w} = weight_${w} * (beyond_${w} - outside_${w} * inside_v${n} - inside_t${n});
% else:
            const real_v jump_v${n} = CHOOSE(wall, reflection_${w} * inside_v${n}, -across_v${n}) - inside_v${n};
            const real_v jump_t${n} = CHOOSE(wall, -reflection_${w} * inside_t${n}, across_t${n}) - inside_t${n};
            const real_v v${n} = weight_${w} * (outside_${w} * jump_v${n} + upwinding_${w} * jump_t${n});
            const real_v t${n} = weight_${w} * impedance_${w} * (jump_t${n} + upwinding_${w} * outside_${w} * jump_v${n});
% endif
% endfor
</%def>

<%def name="volume(i)">
        const real_v vx_x${i} = dr_dx * vx_r${i} + ds_dx * vx_s${i}, vx_y${i} = dr_dy * vx_r${i} + ds_dy * vx_s${i};
        const real_v vy_x${i} = dr_dx * vy_r${i} + ds_dx * vy_s${i}, vy_y${i} = dr_dy * vy_r${i} + ds_dy * vy_s${i};
        const real_v grows${i} = lame * (vx_x${i} + vy_y${i});
        real_v rate_vx${i} = div_x${i};
        real_v rate_vy${i} = div_y${i};
        real_v rate_sxx${i} = grows${i} + 2 * shear * vx_x${i};
        real_v rate_syy${i} = grows${i} + 2 * shear * vy_y${i};
        real_v rate_sxy${i} = shear * (vx_y${i} + vy_x${i});
</%def>

<%def name="surface(f, i)">
<% vn, vt, tn, tt = (f"lifted_p{i}", f"lifted_s{i}", f"impedance_p * lifted_p{i}", f"impedance_s * lifted_s{i}") if rank_one else (f"lifted_{n}{i}" for n in FLUXES[False]) %>\
            {
                const real_v of_x = normal_x${f} * ${vn} - normal_y${f} * ${vt}, of_y = normal_y${f} * ${vn} + normal_x${f} * ${vt};
                const real_v tn = ${tn}, tt = ${tt}, grows = lame * (normal_x${f} * of_x + normal_y${f} * of_y);
                rate_vx${i} += normal_x${f} * tn - normal_y${f} * tt;
                rate_vy${i} += normal_y${f} * tn + normal_x${f} * tt;
                rate_sxx${i} += grows + 2 * shear * normal_x${f} * of_x;
                rate_syy${i} += grows + 2 * shear * normal_y${f} * of_y;
                rate_sxy${i} += shear * (normal_y${f} * of_x + normal_x${f} * of_y);
            }
</%def>

<%def name="material(i)">
            rate_vx${i} *= inverse_density;
            rate_vy${i} *= inverse_density;
</%def>

## An operand of D_r or D_s, from the fields of a node.
<%def name="operand(name, value)">\
% if name in FIELDS:
${value(name)}\
% elif name[1] == "x":
(d${name[-1]}_dx * ${value("sxx")} + d${name[-1]}_dy * ${value("sxy")})\
% else:
(d${name[-1]}_dx * ${value("sxy")} + d${name[-1]}_dy * ${value("syy")})\
% endif
</%def>

<%def name="factors()">
    const real_v step_density = dt * inverse_density, step_lame = dt * lame, step_shear = dt * shear;
    const real_v step_p = step_lame + 2 * step_shear;
% for m in "rs":
    const real_v sxx_by_vx_${m} = step_p * d${m}_dx, sxx_by_vy_${m} = step_lame * d${m}_dy;
    const real_v syy_by_vx_${m} = step_lame * d${m}_dx, syy_by_vy_${m} = step_p * d${m}_dy;
    const real_v sxy_by_vx_${m} = step_shear * d${m}_dy, sxy_by_vy_${m} = step_shear * d${m}_dx;
% endfor
% for f in range(3):
    const real_v vx_n_face${f} = step_density * normal_x${f}, vy_n_face${f} = step_density * normal_y${f};
    const real_v vx_t_face${f} = -vy_n_face${f}, vy_t_face${f} = vx_n_face${f};
    const real_v vx_p_face${f} = impedance_p * vx_n_face${f}, vy_p_face${f} = impedance_p * vy_n_face${f};
    const real_v vx_s_face${f} = impedance_s * vx_t_face${f}, vy_s_face${f} = impedance_s * vy_t_face${f};
    const real_v sxx_p_face${f} = step_lame + 2 * step_shear * normal_x${f} * normal_x${f};
    const real_v syy_p_face${f} = step_lame + 2 * step_shear * normal_y${f} * normal_y${f};
    const real_v sxy_p_face${f} = 2 * step_shear * normal_x${f} * normal_y${f};
    const real_v sxx_s_face${f} = -sxy_p_face${f}, syy_s_face${f} = sxy_p_face${f};
    const real_v sxy_s_face${f} = step_shear * (normal_x${f} * normal_x${f} - normal_y${f} * normal_y${f});
% endfor
</%def>

<%def name="begin(i)">
% for name in FIELDS:
        step_${name}${i} *= a;
% endfor
</%def>

<%def name="outgoing()">
            const real_v normal_x = face == 0 ? normal_x0 : face == 1 ? normal_x1 : normal_x2;
            const real_v normal_y = face == 0 ? normal_y0 : face == 1 ? normal_y1 : normal_y2;
            ${outgoing_of("real_v")}
</%def>

## The same for given normal_x and normal_y; where no work item has several elements the impedances are
## read here.
<%def name="outgoing_of(number='real')">
% if number == "real":
% for name in ("impedance_p", "impedance_s"):
            const real ${name} = ${constants.at("k", name)};
% endfor
% endif
            const ${number} tx = normal_x * new_sxx + normal_y * new_sxy, ty = normal_x * new_sxy + normal_y * new_syy;
            const ${number} vn = normal_x * new_vx + normal_y * new_vy, vt = normal_x * new_vy - normal_y * new_vx;
            const ${number} tn = normal_x * tx + normal_y * ty, tt = normal_x * ty - normal_y * tx;
% if rank_one:
            const ${number} out_p = impedance_p * vn - tn, out_s = impedance_s * vt - tt;
% else:
            const ${number} out_vn = vn, out_vt = vt, out_tn = tn, out_tt = tt;
% endif
</%def>

## Of form f at node m of element k: what half the weighted square of is energy.
<%def name="energy_value()">\
f < 2 || f == 4 ? FIELD(fields, k, f, m) : (FIELD(fields, k, 2, m) + (f == 2 ? 1 : -1) * FIELD(fields, k, 3, m)) / 2\
</%def>

## The sum of the integrals of their squares, weighted.
<%def name="energy_sum()">
    const real shear = ${constants.at("k", "shear")};
    const real weighted = (squared[0] + squared[1]) / ${constants.at("k", "inverse_density")}
        + squared[2] / (${constants.at("k", "lame")} + shear)
        + (shear > 0 ? (squared[3] + squared[4]) / shear : 0);
</%def>
