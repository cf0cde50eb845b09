## What is Maxwell, transverse magnetic, in the stage kernel: variables, volume term, flux, walls.
##
##     mu  dHx/dt = -dEz/dy
##     mu  dHy/dt =  dEz/dx
##     eps dEz/dt =  dHy/dx - dHx/dy - sigma Ez
##
## The volume term needs four products with Dr and Ds, not six, because the curl is combined first:
## dHy/dx - dHx/dy = Dr (rx Hy - ry Hx) + Ds (sx Hy - sy Hx).
##
## Faces.  With H = nx Hy - ny Hx and [q] = inside minus outside, a the upwinding and Z the
## impedance,
##     E* - E- = -Z  ([E] + a Z+ [H]) / (Z + Z+) = -Z e
##     H* - H- =    -(Z+ [H] + a [E]) / (Z + Z+) = -h
## Neighbours exchange Ez and their own H, which has the other sign here.  For a = 1, e = h =
## (E- + Z+ H- - s) / (Z + Z+) where s = Ez - Z H is the one outgoing wave of the neighbour: then
## one number per face node is exchanged and lifted, not two.
## A wall reflects what this side publishes: E+ = R E-, H+ = -R H-, so s = R (E- - Z H-).  One that
## takes something, |R| < 1, always has a = 1 (physics/operator/maxwell_tm.py says why).
<%!
FIELDS = ("hx", "hy", "ez")
#: Nodal quantities that are differentiated.
OPERANDS = ("ez", "curl_r", "curl_s")
#: Sums over columns: (sum, matrix, operand).
PRODUCTS = (("ez_r", "r", "ez"), ("ez_s", "s", "ez"), ("curl", "r", "curl_r"), ("curl", "s", "curl_s"))
#: The same, each on its own: (operand, matrix, what it adds to: (field, factor) ...).
DERIVATIVES = (
    ("ez", "r", (("hx", "hx_by_r"), ("hy", "hy_by_r"))),
    ("ez", "s", (("hx", "hx_by_s"), ("hy", "hy_by_s"))),
    ("curl_r", "r", (("ez", "ez_by_curl"),)),
    ("curl_s", "s", (("ez", "ez_by_curl"),)),
)
#: Plus or minus the scaled normal of each face, in terms of the metric: (gradient, sign) pairs.
NORMALS = ((("s", "-"),), (("r", "+"), ("s", "+")), (("r", "-"),))
#: What a face node publishes and what is lifted; by whether the flux has rank one.
TRACES = {True: ("wave",), False: ("e", "h")}
FLUXES = {True: ("e",), False: ("e", "h")}
#: Fluxes and the fields that they are lifted to, with factors called {field}_face{number}.
LIFTED = {True: (("e", ("hx", "hy", "ez")),), False: (("e", ("hx", "hy")), ("h", ("ez",)))}
#: The scaled normal of each face times H, from the operands of the volume term.
SCALED_H = ("-curl_s", "curl_r + curl_s", "-curl_r")
#: What can be shown, from the fields and the material at a node.
QUANTITIES = {
    "ez": "ez",
    "hx": "hx",
    "hy": "hy",
    "h": "sqrt(hx * hx + hy * hy)",
    "energy": "(ez * ez / inverse_epsilon + (hx * hx + hy * hy) / inverse_mu) / 2",
}
%>

<%namespace name="constants" file="constants.cl.mako"/>
## Per block, before all else.
<%def name="metric()">
% for name in ("dr_dx", "dr_dy", "ds_dx", "ds_dy"):
    const real_v ${name} = ${constants.here(name)};
% endfor
</%def>

## Per block, before the faces: material and normals.
<%def name="element()">
% for name in ("inverse_epsilon", "inverse_mu", "impedance"):
    const real_v ${name} = ${constants.here(name)};
% endfor
    // Face scale times normal: sums of the metric terms of an affine element.
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

## At node n, from the fields here_hx, here_hy and here_ez.
<%def name="operands()">
        ez[KEPT(n)] = here_ez;
        curl_r[KEPT(n)] = dr_dx * here_hy - dr_dy * here_hx;
        curl_s[KEPT(n)] = ds_dx * here_hy - ds_dy * here_hx;
</%def>

## Once per face f, before its nodes.
<%def name="face(f)">
        const real_v reflection = ${constants.here(f"reflection_{f}")};
        const real_v outside_impedance = ${constants.here(f"outside_impedance_{f}")};
        const real_v weight = scale${f} / (impedance + outside_impedance);
% if not rank_one:
        const int_v takes = wall & ${"convert_int%d(fabs(reflection) < 1)" % config.width if config.width > 1 else "(fabs(reflection) < 1)"};
        const real_v face_upwinding = CHOOSE(takes, (real_v)1, (real_v)upwinding);
% endif
</%def>

## At a node of face f, from inside_e and inside_h; leaves the fluxes, with the face scale, in e (and h).
<%def name="flux(f)">
% if rank_one:
            const real_v wave = CHOOSE(wall, reflection * (inside_e - impedance * inside_h), across_wave);
            const real_v e = weight * (inside_e + outside_impedance * inside_h - wave);
% else:
            const real_v jump_e = inside_e - CHOOSE(wall, reflection * inside_e, across_e);
            const real_v jump_h = inside_h + CHOOSE(wall, reflection * inside_h, across_h);
            const real_v e = weight * (jump_e + face_upwinding * outside_impedance * jump_h);
            const real_v h = weight * (outside_impedance * jump_h + face_upwinding * jump_e);
% endif
</%def>

## From the sums of PRODUCTS of row i to the rates of change.
<%def name="volume(i)">
        real_v rate_hx${i} = -(dr_dy * ez_r${i} + ds_dy * ez_s${i});
        real_v rate_hy${i} = dr_dx * ez_r${i} + ds_dx * ez_s${i};
        real_v rate_ez${i} = curl${i};
</%def>

## Lifted fluxes of face f of row i.
<%def name="surface(f, i)">
            rate_hx${i} += impedance * normal_y${f} * lifted_e${i};
            rate_hy${i} -= impedance * normal_x${f} * lifted_e${i};
            rate_ez${i} -= lifted_${FLUXES[rank_one][-1]}${i};
</%def>

## Once everything is added up; ``ez`` the field at this node.
<%def name="material(i)">
            rate_hx${i} *= inverse_mu;
            rate_hy${i} *= inverse_mu;
            rate_ez${i} = inverse_epsilon * rate_ez${i} - ${constants.here("loss")} * old_ez;
</%def>

## The operand of D_r or D_s, from the fields of node number i.
<%def name="curl(matrix, i)">\
(d${matrix}_dx * old_hy${i} - d${matrix}_dy * old_hx${i})\
</%def>

## What a product of DERIVATIVES and a flux of LIFTED are multiplied with, the time step included.
<%def name="factors()">
    const real_v step_mu = dt * inverse_mu, ez_by_curl = dt * inverse_epsilon;
    const real_v loss = dt * ${constants.here("loss")};
% for matrix in "rs":
    const real_v hx_by_${matrix} = -step_mu * d${matrix}_dy, hy_by_${matrix} = step_mu * d${matrix}_dx;
% endfor
% for f in range(3):
    const real_v hx_face${f} = step_mu * impedance * normal_y${f};
    const real_v hy_face${f} = -step_mu * impedance * normal_x${f};
    const real_v ez_face${f} = -ez_by_curl;
% endfor
</%def>

## From the residual before, in step_*, to what the products add to.
<%def name="begin(i)">
        step_hx${i} *= a;
        step_hy${i} *= a;
        step_ez${i} = a * step_ez${i} - loss * old_ez${i};
</%def>

## What node with fields hx, hy, ez publishes on face number ``face``: one value per trace.
<%def name="outgoing()">
            const real_v normal_x = face == 0 ? normal_x0 : face == 1 ? normal_x1 : normal_x2;
            const real_v normal_y = face == 0 ? normal_y0 : face == 1 ? normal_y1 : normal_y2;
            const real_v h = normal_x * new_hy - normal_y * new_hx;
% if rank_one:
            const real_v out_wave = new_ez - impedance * h;
% else:
            const real_v out_e = new_ez;
            const real_v out_h = h;
% endif
</%def>
