## What the kernels of local time stepping share, for straight and for curved elements; names are those of
## ader.cl.mako.
<%namespace name="system" file="maxwell_tm.cl.mako"/>

## Once per program: from sources at some moments to powers of time, and auxiliary equations at a node.
<%def name="functions(number)">
constant real upwinding = ${repr(upwinding) + ("f" if real == "float" else "")};
constant real to_coefficients[${n_points} * ${n_points}] = {${", ".join(f"{value!r}{'f' if real == 'float' else ''}" for row in to_coefficients.tolist() for value in row)}};
% if rates:
// In the order of the fields and then the memory; nothing else has a name here.
void local_rates(${", ".join(f"const {number} {name}" for name in (*system.module.FIELDS, *auxiliary_variables, *auxiliary_coefficients))}, ${number} *found_)
{
% for i, name in enumerate([*(name for name in system.module.FIELDS if name in rates), *auxiliary_variables]):
    found_[${i}] = ${rates[name]};
% endfor
}
% endif
</%def>

## Calls that, with the fields and how to get entry number {} of memory and coefficients.
<%def name="call(fields, of_auxiliary, of_coefficients)">\
local_rates(${", ".join([*fields, *(of_auxiliary.format(i) for i in range(len(auxiliary_variables))), *(of_coefficients.format(i) for i in range(len(auxiliary_coefficients)))])}, found);\
</%def>

<%def name="source_buffers(kind)">\
${", ".join(f"global {kind} *restrict sources{point}" for point in range(n_points))}\
</%def>
