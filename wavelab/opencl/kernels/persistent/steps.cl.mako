## Many steps in one kernel, whose groups are all on the device at once and wait for each other.
##
## It calls what would be kernels of their own (wavelab/opencl/persistent/bodies.py), each for the groups or
## items that belong to this group of the device.
##   bodies      text of those functions
##   sites       what is called, see wavelab/opencl/persistent/program.py
##   group       work items of a group
##   n_stages    of a step
##   n_buffers   that the functions take
##   n_reals, n_integers, n_rows   numbers that they take, by row: a stage of a step of either parity
##   n_units     most units of a group, kept in local memory, or 0
##   arena       bytes of local memory that the functions share
<%
    in_stages = [site for site in sites if site.in_stages]
    after = [site for site in sites if not site.in_stages]
%>
% if real == "double":
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
% endif
${bodies}
<%include file="meeting.cl.mako"/>
// For a single work item a barrier would do nothing, and take PoCL's compiler minutes.
#define GROUP_MEETS ${"barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)" if group > 1 else ""}
#define N_REALS_ ${n_reals}
#define N_INTEGERS_ ${n_integers}
<%def name="call(site)">
% if site.meets:
            ALL_SEE;
% endif
            {
                const int begin_ = from_[${site.number}];
                const int end_ = ${f"last{site.number}_ < 0 ? begin_ : " if site.skips else ""}from_[${site.number + 1}];
% if site.by_item:
                for (int at_ = begin_ + item_; at_ < end_; at_ += ${group})
                    ${site.function}(units_[at_], 0, ${site.items}, (local char *)arena_, ${site.arguments});
                GROUP_MEETS;
% else:
                for (int at_ = begin_; at_ < end_; ++at_) {
                    ${f"if (item_ < {site.group})" if site.group < group and not site.any_size else ""}
                    ${site.function}(units_[at_], item_, ${site.items}, (local char *)arena_, ${site.arguments});
                    GROUP_MEETS;
                }
% endif
            }
</%def>

kernel __attribute__((reqd_work_group_size(${group}, 1, 1)))
void take_steps(
% for i in range(n_buffers):
    global char *b${i}_,
% endfor
    global const ${real} *all_reals_, global const int *all_integers_,
    global const int *all_units_, global const int *all_from_,
    global const int *stage_lasts_, global const ${real} *stage_reals_, global const int *step_lasts_,
    const int n_units_, global int *met_, const int n_steps_, const int first_parity_,
    const int patience_)
{
    local double arena_[${max(1, -(-arena // 8))}];
    local ${real} reals_[${max(1, n_rows * n_reals)}];
    local int integers_[${max(1, n_rows * n_integers)}], from_[${len(sites) + 1}], lost_;
    const int item_ = get_local_id(0), group_ = get_group_id(0);
    for (int i_ = item_; i_ < ${n_rows * n_reals}; i_ += ${group}) reals_[i_] = all_reals_[i_];
    for (int i_ = item_; i_ < ${n_rows * n_integers}; i_ += ${group}) integers_[i_] = all_integers_[i_];
    for (int i_ = item_; i_ < ${len(sites) + 1}; i_ += ${group})
        from_[i_] = all_from_[group_ * ${len(sites) + 1} + i_];
% if n_units:
    local int units_[${n_units}];
    for (int i_ = item_; i_ < ${n_units}; i_ += ${group}) units_[i_] = all_units_[group_ * ${n_units} + i_];
% else:
    global const int *units_ = all_units_ + group_ * n_units_;
% endif
    // What was lost before stays so.
    if (item_ == 0) lost_ = met_[1];
    int goal_ = 0, parity_ = first_parity_;
    ALL_MEET;
    if (n_steps_ == 0) for (int i_ = 0; i_ < 16; ++i_) ALL_MEET;
    for (int step_ = 0; step_ < n_steps_; ++step_) {
        for (int stage_ = 0; stage_ < ${n_stages}; ++stage_) {
            const int row_ = parity_ * ${n_stages} + stage_;
% for site in in_stages:
% if site.last:
            const ${real if site.last == "real" else "int"} last${site.number}_ = ${"stage_reals_" if site.last == "real" else "stage_lasts_"}[(step_ * ${n_stages} + stage_) * ${site.n_lasts} + ${site.last_place}];
% endif
% endfor
% for site in in_stages:
            ${call(site)}
% endfor
% if after:
            if (stage_ == ${n_stages - 1}) {
                const int row_ = 0;
% for site in after:
% if site.last:
                const int last${site.number}_ = step_lasts_[step_ * ${site.n_lasts} + ${site.last_place}];
% endif
% endfor
% for site in after:
                ${call(site)}
% endfor
            }
% endif
            ALL_MEET;
        }
        parity_ = (parity_ + ${n_stages}) % 2;
    }
}
