## What is constant on an element, in the two ways it can be stored.
##
##   by element  [block][coefficient][lane], all of them side by side: plain vector loads on a CPU;
##   compact     the four metric terms [block][term][lane], and the number of a row of a table with
##               everything else, of which a scene has few different ones: 20 bytes an element in
##               place of 68 where memory is what limits.
<%def name="arguments(real)">\
% if compact:
global const ${real} *restrict coefficients, global const int *restrict material_rows, global const real *restrict materials\
% else:
global const ${real} *restrict coefficients\
% endif
</%def>

## For a kernel over blocks, after lanes.place(): moves to this block.
<%def name="place()">
    coefficients += block * N_COEFFICIENTS * BLOCK_STRIDE;
% if compact:
    global const real *material = materials + material_rows[block * LANES + lane] * N_MATERIALS;
% endif
</%def>

## Of the lanes of this work item.
<%def name="here(name)">\
% if not compact:
coefficients[HERE(${coefficients.index(name)})]\
% elif name in metric:
coefficients[HERE(${metric.index(name)})]\
% else:
material[${material.index(name)}]\
% endif
</%def>

## Of element k.
<%def name="at(k, name)">\
% if not compact:
AT(coefficients, N_COEFFICIENTS, ${k}, ${coefficients.index(name)})\
% elif name in metric:
AT(coefficients, N_COEFFICIENTS, ${k}, ${metric.index(name)})\
% else:
materials[material_rows[${k}] * N_MATERIALS + ${material.index(name)}]\
% endif
</%def>
