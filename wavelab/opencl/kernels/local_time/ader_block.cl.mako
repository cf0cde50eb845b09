## What prediction and correction of a block of elements share, see ader.cl.mako.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>

<%def name="block(number)">
    ${lanes.place(number)}
    fields += block * FIELD_BLOCK;
    ${constants.place()}
    own += block * TRACE_BLOCK;
    levels += block * BLOCK_STRIDE;
    outside += block * 3 * BLOCK_STRIDE;
    relation += block * 3 * BLOCK_STRIDE;
    ${system.metric()}
    ${system.element()}
    const int_v mine = levels[HERE(0)] == level;
</%def>

## Where the traces of face f are in a buffer that has a second one for slower neighbours.
<%def name="across(f)">
        const int_v across = outside[HERE(${f})];
        const int_v wall = across == (block * 3 * NFP + ${f * nodes_per_face + nodes_per_face - 1}) * (N_TRACES * LANES) + lane;
        const int_v later = (relation[HERE(${f})] > 0) & (int_v)(-odd);
% if config.width > 1:
        const int_v from = across + (later & (int_v)(second * WIDTH));
% else:
        const int from = across + (later ? second * WIDTH : 0);
% endif
        ${system.face(f)}
</%def>

## Trace number c across node j of the face.
<%def name="gathered(buffer, c)">GATHER(${buffer}, (from - j * (N_TRACES * LANES) + ${c} * LANES))</%def>

## Rates of change rate_hx0, ... of a tile from flux_e, and flux_h where that is another one.
<%def name="lifted()">
<%
    fields, fluxes, tile = system.module.FIELDS, system.module.FLUXES[rank_one], config.tile
%>\
% for i in range(tile):
        real_v ${", ".join(f"rate_{name}{i} = 0" for name in fields)};
% endfor
        global const real *column = lift + tile * 3 * NFP * ${tile};
% for f in range(3):
        {
% for i in range(tile):
            real_v ${", ".join(f"lifted_{name}{i} = 0" for name in fluxes)};
% endfor
            for (int j = 0; j < NFP; ++j, column += ${tile}) {
                ${lanes.column("l", "column", tile)}
% for name in fluxes:
                const real_v ${name}_j = flux_${name}[KEPT(${f} * NFP + j)];
% for i in range(tile):
                lifted_${name}${i} += l${i} * ${name}_j;
% endfor
% endfor
            }
% for i in range(tile):
            ${system.surface(f, i)}
% endfor
        }
% endfor
% for i in range(tile):
        rate_hx${i} *= inverse_mu;
        rate_hy${i} *= inverse_mu;
        rate_ez${i} *= inverse_epsilon;
% endfor
</%def>
