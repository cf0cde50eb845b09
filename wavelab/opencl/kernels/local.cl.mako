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
#define LISTED(buffer, entry) buffer[((entry) * NP + at_node) * n_listed + at_listed]
## Names of formulas have no underscore, all others here have one.
<%def name="place()">
    if (get_global_id(0) >= (size_t)n_listed * NP) return;
    const int at_listed = get_global_id(0) % n_listed, at_node = get_global_id(0) / n_listed;
    const int at_element = listed_elements[at_listed];
</%def>
// From the fields before the stage: dt times what is added to their rates of change, and the stage of
// the memory itself.
kernel void look(
    global const real *restrict all_fields, global const real *restrict all_coefficients,
    global real *restrict all_memory, global real *restrict all_residuals,
    global real *restrict all_extra, global const int *restrict listed_elements, const int n_listed,
    const real step_dt, const real step_a, const real step_b)
{
    ${place()}
% for f, name in enumerate(fields):
    const real ${name} = FIELD(all_fields, at_element, ${f}, at_node);
% endfor
% for entry, name in enumerate(local_coefficients):
    const real ${name} = LISTED(all_coefficients, ${entry});
% endfor
% for entry, name in enumerate(local_memory):
    const real ${name} = LISTED(all_memory, ${entry});
% endfor
% for entry, name in enumerate(driven):
    LISTED(all_extra, ${entry}) = step_dt * ${rates[name]};
% endfor
% for entry, name in enumerate(local_memory):
    real change_${name} = step_dt * ${rates[name]};
    if (step_a != 0) change_${name} += step_a * LISTED(all_residuals, ${entry});
    LISTED(all_residuals, ${entry}) = change_${name};
    LISTED(all_memory, ${entry}) = ${name} + step_b * change_${name};
% endfor
}

kernel void add_extra(
    global real *fields, global real *residual, ${add.traces()} ${constants.arguments("real")},
    global const real *restrict all_extra, global const int *restrict listed_elements,
    const int n_listed, const real step_b)
{
    ${place()}
% for name in fields:
    const real extra_${name} = ${f"LISTED(all_extra, {driven.index(name)})" if name in driven else "0"};
% endfor
% for f, name in enumerate(fields):
% if name in driven:
    FIELD(residual, at_element, ${f}, at_node) += extra_${name};
% endif
% endfor
    add_to_fields(
        fields, ${add.to_traces()} ${constants.passed()}, at_element, at_node,
        ${", ".join(f"step_b * extra_{name}" for name in fields)});
}
