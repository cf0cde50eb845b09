## What auxiliary equations (wavelab/physics/materials/auxiliary_equations.py) take from the fields and from what media
## store, in sums over some of the listed elements each.
##   auxiliary_coefficients, auxiliary_variables   names; they have no underscore, all others here have one
##   terms     (name, expression of the rate of change of what it meets in the energy, mostly its own)
##   lanes     elements side by side in a block of the memory, [listed block][entry][node][lane]
<%namespace name="system" file="${context['equations']}.cl.mako"/>
<%include file="${layout}.cl.mako"/>
// Coefficients are [entry][listed element][node], weights [term][listed element][node]; all_masses are
// mass matrices, and which_mass says which of them an element has.
kernel void lost_power(
    const int n_items,
    global const real *restrict all_fields, global const int *restrict all_elements,
    global const real *restrict all_coefficients, global const real *restrict all_weights,
    global const real *restrict all_masses, global const int *restrict which_mass,
    global const real *restrict all_memory, global const int *restrict all_places,
    global real *restrict all_sums, const int n_listed, const int first_sum)
{
    if (get_global_id(0) >= n_items) return;
    real all_gained = 0;
    for (int at_listed = get_global_id(0); at_listed < n_listed; at_listed += n_items) {
        const int at_element = all_elements[at_listed];
        global const real *at_mass = all_masses + which_mass[at_listed] * NP * NP;
        real the_weighted[${len(terms)}][NP], the_rates[${len(terms)}][NP];
        for (int at_node = 0; at_node < NP; ++at_node) {
% for f, name in enumerate(system.module.FIELDS):
            const real ${name} = FIELD(all_fields, at_element, ${f}, at_node);
% endfor
% for entry, name in enumerate(auxiliary_coefficients):
            const real ${name} = all_coefficients[(${entry} * n_listed + at_listed) * NP + at_node];
% endfor
% for entry, name in enumerate(auxiliary_variables):
            const real ${name} =
                all_memory[all_places[at_listed] + (${entry} * NP + at_node) * ${lanes}];
% endfor
% for t, (name, rate) in enumerate(terms):
            the_rates[${t}][at_node] = ${rate};
            the_weighted[${t}][at_node] =
                ${name} * all_weights[(${t} * n_listed + at_listed) * NP + at_node];
% endfor
        }
        for (int at_node = 0; at_node < NP; ++at_node) {
% for t in range(len(terms)):
            real tested_${t} = 0;
% endfor
            for (int n_ = 0; n_ < NP; ++n_) {
% for t in range(len(terms)):
                tested_${t} += at_mass[at_node * NP + n_] * the_rates[${t}][n_];
% endfor
            }
% for t in range(len(terms)):
            all_gained += tested_${t} * the_weighted[${t}][at_node];
% endfor
        }
    }
    all_sums[first_sum + get_global_id(0)] = -all_gained;
}
