## What is Maxwell, transverse magnetic, in the kernels that is curved for each element; the
## equations and the flux are those of maxwell_tm.cl.mako.
<%namespace name="constants" file="constants.cl.mako"/>

## Of element k, before all else.
<%def name="element()">
% for name in ("inverse_epsilon", "inverse_mu", "impedance"):
    const real ${name} = ${constants.at("k", name)};
% endfor
</%def>

## At a face node, from inside_e, inside_h and, behind a wall, nothing, else the neighbour's traces
## across_{trace}; leaves e and h.
<%def name="flux()">
            const real reflection = face == 0 ? ${constants.at("k", "reflection_0")} :
                face == 1 ? ${constants.at("k", "reflection_1")} : ${constants.at("k", "reflection_2")};
            const real outside_impedance = face == 0 ? ${constants.at("k", "outside_impedance_0")} :
                face == 1 ? ${constants.at("k", "outside_impedance_1")} : ${constants.at("k", "outside_impedance_2")};
            const real weight = 1 / (impedance + outside_impedance);
% if rank_one:
            const real wave = wall ? reflection * (inside_e - impedance * inside_h) : across_wave;
            const real e = weight * (inside_e + outside_impedance * inside_h - wave);
            const real h = e;
% else:
            const real jump_e = inside_e - (wall ? reflection * inside_e : across_e);
            const real jump_h = inside_h + (wall ? reflection * inside_h : across_h);
            const real face_upwinding = wall && fabs(reflection) < 1 ? 1 : upwinding;
            const real e = weight * (jump_e + face_upwinding * outside_impedance * jump_h);
            const real h = weight * (outside_impedance * jump_h + face_upwinding * jump_e);
% endif
</%def>

## What node m, with hx_m ..., adds to the rates of a row, from the derivatives dx and dy.
<%def name="volume()">
            RATE_ROW(hx) -= dy * ez_m;
            RATE_ROW(hy) += dx * ez_m;
            RATE_ROW(ez) += dx * hy_m - dy * hx_m;
</%def>

## What face node j adds to the rates of a row, from the lift and those with the normal.
<%def name="surface()">
            RATE_ROW(hx) += ly * e_j;
            RATE_ROW(hy) -= lx * e_j;
            RATE_ROW(ez) -= l * h_j;
</%def>

## Once everything is added up.
<%def name="material()">
        RATE(hx) *= inverse_mu;
        RATE(hy) *= inverse_mu;
        RATE(ez) = inverse_epsilon * RATE(ez) - ${constants.at("k", "loss")} * ez[n];
</%def>

## What a face node publishes.
<%def name="outgoing()">
% if rank_one:
            const real out_wave = inside_e - impedance * inside_h;
% else:
            const real out_e = inside_e;
            const real out_h = inside_h;
% endif
</%def>
