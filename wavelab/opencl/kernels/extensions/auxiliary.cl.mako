## Auxiliary equations (wavelab/physics/materials/auxiliary_equations.py) on blocks of elements that have some.
##
## AoSoA, all lanes of a block are computed, as in the stage; ``listed_lanes`` is 1 for those that
## have the equations and 0 for the others.  Otherwise a block is an element, and a work item a node.
## Coefficients, memory and what is added lie as [listed block][entry][node][lane].
##   auxiliary_coefficients, auxiliary_variables, driven   names; they have no underscore, all others here have one
##   rates     name: expression printed from the checked tree of a formula
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="published" file="publish.cl.mako"/>
<% fields = system.module.FIELDS %>
<%include file="${layout}.cl.mako"/>
% if publishes:
#define LOCAL_KERNEL kernel ${lanes.attributes()}
#define EACH_NODE EACH(at_node, 0, NP)
#define STRIDE_ BLOCK_STRIDE
#define IN_BLOCK(i) HERE(i)
#define FIELDS_BLOCK FIELD_BLOCK
#define FIELD_AT(f, n) HERE((f) * NP + (n))
% else:
#define LOCAL_KERNEL kernel
#define EACH_NODE const int at_node = get_global_id(0) % NP;
#define STRIDE_ 1
#define IN_BLOCK(i) (i)
#define FIELDS_BLOCK (N_FIELDS * PADDED)
#define FIELD_AT(f, n) ((f) * PADDED + (n))
typedef real real_v;
% endif
## Numbers the listed blocks, and finds the block.
<%def name="place()">
% if publishes:
    ${lanes.place("listed_blocks[get_group_id(0)]")}
    const int listed_block = get_group_id(0);
    const real_v here_ = listed_lanes[listed_block * BLOCK_STRIDE + item];
% else:
    if (get_global_id(0) >= (size_t)n_listed * NP) return;
    const int listed_block = get_global_id(0) / NP, block = listed_blocks[listed_block];
    const real here_ = 1;
% endif
</%def>
<%def name="start(buffer, entries)">
    ${buffer} += listed_block * ${entries} * NP * STRIDE_;
</%def>
// From the fields before the stage: dt times what is added to their rates of change, and the stage of
// the memory itself.
LOCAL_KERNEL
void look(
    global const real_v *restrict all_fields, global const real_v *restrict all_coefficients,
    global real_v *restrict all_memory, global real_v *restrict all_residuals,
    global real_v *restrict all_extra, global const real_v *restrict listed_lanes,
    global const int *restrict listed_blocks, const int n_listed,
    const real step_dt, const real step_a, const real step_b)
{
    ${place()}
    all_fields += block * FIELDS_BLOCK;
    ${start("all_coefficients", len(auxiliary_coefficients))}
    ${start("all_memory", len(auxiliary_variables))}
    ${start("all_residuals", len(auxiliary_variables))}
    ${start("all_extra", len(driven))}
    const real_v step_here = step_dt * here_;
    EACH_NODE {
% for f, name in enumerate(fields):
        const real_v ${name} = all_fields[FIELD_AT(${f}, at_node)];
% endfor
% for entry, name in enumerate(auxiliary_coefficients):
        const real_v ${name} = all_coefficients[IN_BLOCK(${entry} * NP + at_node)];
% endfor
% for entry, name in enumerate(auxiliary_variables):
        const real_v ${name} = all_memory[IN_BLOCK(${entry} * NP + at_node)];
% endfor
% for entry, name in enumerate(driven):
        all_extra[IN_BLOCK(${entry} * NP + at_node)] = step_here * ${rates[name]};
% endfor
% for entry, name in enumerate(auxiliary_variables):
        real_v change_${name} = step_here * ${rates[name]};
        if (step_a != 0) change_${name} += step_a * all_residuals[IN_BLOCK(${entry} * NP + at_node)];
        all_residuals[IN_BLOCK(${entry} * NP + at_node)] = change_${name};
        all_memory[IN_BLOCK(${entry} * NP + at_node)] = ${name} + step_b * change_${name};
% endfor
    }
}

// Adds that to the residual and the fields; what elements publish follows.
LOCAL_KERNEL
void add_extra(
    global real_v *restrict all_fields, global real_v *restrict all_residuals,
% if publishes:
    global real_v *restrict new_traces, ${constants.arguments("real_v")},
% endif
    global const real_v *restrict all_extra, global const real_v *restrict listed_lanes,
    global const int *restrict listed_blocks, const int n_listed, const real step_b)
{
    ${place()}
    all_fields += block * FIELDS_BLOCK;
    all_residuals += block * FIELDS_BLOCK;
    ${start("all_extra", len(driven))}
% if publishes:
    new_traces += block * TRACE_BLOCK;
    ${constants.place()}
    ${system.metric()}
    ${system.element()}
% endif
    EACH_NODE {
        const int n = at_node;
% for f, name in enumerate(fields):
        real_v new_${name} = all_fields[FIELD_AT(${f}, n)];
% if name in driven:
        const real_v extra_${name} = all_extra[IN_BLOCK(${driven.index(name)} * NP + n)];
        new_${name} += step_b * extra_${name};
        all_residuals[FIELD_AT(${f}, n)] += extra_${name};
        all_fields[FIELD_AT(${f}, n)] = new_${name};
% endif
% endfor
% if publishes:
        ${published.node("new_traces")}
% endif
    }
}
