## Local equations (wavelab/physics/local_equations.py): a work item per node of each listed element.
##
## Coefficients, memory and what is added lie as [entry][node][listed element].
##   local_coefficients, local_memory, driven   names
##   rates     name: expression printed from the checked tree of a formula
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="add" file="add.cl.mako"/>
<% fields = system.module.FIELDS %>
<%include file="${layout}.cl.mako"/>
<%include file="add.cl.mako"/>
#define LISTED(buffer, entry) buffer[((entry) * NP + n) * n_elements + i]
<%def name="place()">
    if (get_global_id(0) >= (size_t)n_elements * NP) return;
    const int i = get_global_id(0) % n_elements, n = get_global_id(0) / n_elements;
    const int k = elements[i];
</%def>
// From the fields before the stage: dt times what is added to their rates of change, and the stage of
// the memory itself.
kernel void look(
    global const real *restrict fields, global const real *restrict coefficients,
    global real *restrict memory, global real *restrict residual, global real *restrict extra,
    global const int *restrict elements, const int n_elements,
    const real dt, const real a, const real b)
{
    ${place()}
% for f, name in enumerate(fields):
    const real ${name} = FIELD(fields, k, ${f}, n);
% endfor
% for entry, name in enumerate(local_coefficients):
    const real ${name} = LISTED(coefficients, ${entry});
% endfor
% for entry, name in enumerate(local_memory):
    const real ${name} = LISTED(memory, ${entry});
% endfor
% for entry, name in enumerate(driven):
    LISTED(extra, ${entry}) = dt * ${rates[name]};
% endfor
% for entry, name in enumerate(local_memory):
    {
        real change = dt * ${rates[name]};
        if (a != 0) change += a * LISTED(residual, ${entry});
        LISTED(residual, ${entry}) = change;
        LISTED(memory, ${entry}) = ${name} + b * change;
    }
% endfor
}

kernel void add_extra(
    global real *fields, global real *residual, ${add.traces()} ${constants.arguments("real")},
    global const real *restrict extra, global const int *restrict elements, const int n_elements,
    const real b)
{
    ${place()}
% for name in fields:
    const real extra_${name} = ${f"LISTED(extra, {driven.index(name)})" if name in driven else "0"};
% endfor
% for f, name in enumerate(fields):
% if name in driven:
    FIELD(residual, k, ${f}, n) += extra_${name};
% endif
% endfor
    add_to_fields(
        fields, ${add.to_traces()} ${constants.passed()}, k, n,
        ${", ".join(f"b * extra_{name}" for name in fields)});
}
