## What is Maxwell, transverse magnetic, in the kernels of the variant with a work item per node.
##
## The equations and the flux are those of maxwell_tm.cl.mako, written out as in the book: no
## products are combined, and the flux is the general one for any upwinding.
<%namespace name="constants" file="constants.cl.mako"/>

## At node n of element k, from the derivatives {field}_x and {field}_y.
<%def name="volume()">
    const real inverse_epsilon = ${constants.at("k", "inverse_epsilon")};
    const real inverse_mu = ${constants.at("k", "inverse_mu")};
    const real rate_hx = -inverse_mu * ez_y;
    const real rate_hy = inverse_mu * ez_x;
    const real rate_ez = inverse_epsilon * (hy_x - hx_y) - ${constants.at("k", "loss")} * ez[n];
</%def>

## Ghost state behind a wall with the reflection coefficient R: E+ = R E-, H+ = -R H-.  One that takes
## something has upwinding 1 (physics/operator/maxwell_tm.py says why).
<%def name="wall()">
            outside_hx = -reflection * inside_hx;
            outside_hy = -reflection * inside_hy;
            outside_ez = reflection * inside_ez;
            if (fabs(reflection) < 1) face_upwinding = 1;
</%def>

## Turns the outside fields by an angle counterclockwise; Ez is a scalar.
<%def name="turn(cosine, sine)">
        const real turned_hx = ${cosine} * outside_hx - ${sine} * outside_hy;
        outside_hy = ${sine} * outside_hx + ${cosine} * outside_hy;
        outside_hx = turned_hx;
</%def>

## At a face node with the outward unit normal, from inside_{field} and outside_{field}: what the flux
## adds to the rate of each field, before lifting.
<%def name="flux()">
        const real impedance = ${constants.at("k", "impedance")};
        const real weight = 1 / (impedance + outside_impedance);
        const real jump_e = inside_ez - outside_ez;
        const real jump_h = normal_x * (inside_hy - outside_hy) - normal_y * (inside_hx - outside_hx);
        const real e = impedance * weight * (jump_e + face_upwinding * outside_impedance * jump_h);
        const real h = weight * (outside_impedance * jump_h + face_upwinding * jump_e);
        const real flux_hx = ${constants.at("k", "inverse_mu")} * normal_y * e;
        const real flux_hy = -${constants.at("k", "inverse_mu")} * normal_x * e;
        const real flux_ez = -${constants.at("k", "inverse_epsilon")} * h;
</%def>
