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
##   seen        whether what groups do last in a stage is for others
##   arena       bytes of local memory that the functions share
<%
    in_stages = [site for site in sites if site.in_stages]
    after = [site for site in sites if not site.in_stages]
    # More than any kernel has items.
    IDLE = 1 << 20
%>
% if real == "double":
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
% endif
// For a single work item a barrier would do nothing, and take PoCL's compiler minutes.
#define GROUP_MEETS ${"barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)" if group > 1 else ""}
<%include file="meeting.cl.mako"/>
${bodies}
#define N_REALS_ ${n_reals}
#define N_INTEGERS_ ${n_integers}
<%def name="call(site)">
<% call_of = lambda unit, item, arena: f"{site.function}({unit}, {item}, {site.items}, {arena}, &meeting_, {site.arguments});" %>\
% if site.meets:
            ALL_SEE;
% elif site.waits_before:
            WAIT;
% endif
            {
                const int begin_ = from_[${site.number}];
                const int end_ = ${f"last{site.number}_ < 0 ? begin_ : " if site.skips else ""}from_[${site.number + 1}];
% if site.by_item:
                for (int at_ = begin_ + item_; at_ < end_; at_ += ${group})
                    ${call_of("units_[at_]", "0", "(local char *)arena_")}
                GROUP_MEETS;
% elif site.beside > 1:
                // Some at a time.  Items that have none wait where the others do, and are beyond all that is
                // done by items.
                for (int of_ = begin_; of_ < end_; of_ += ${site.beside}) {
                    const int at_ = of_ + item_ / ${site.group};
                    const int idle_ = at_ >= end_ || item_ >= ${site.beside * site.group};
                    ${call_of("units_[idle_ ? begin_ : at_]", f"idle_ ? {IDLE} : item_ % {site.group}", f"(local char *)arena_ + item_ / {site.group} * {site.local_bytes}")}
                    GROUP_MEETS;
                }
% else:
                for (int at_ = begin_; at_ < end_; ++at_) {
                    ${f"if (item_ < {site.group})" if site.group < group and not site.any_size else ""}
                    ${call_of("units_[at_]", "item_", "(local char *)arena_")}
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
    local double4 arena_[${-(-arena // 32)}];
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
    meeting_t_ meeting_ = {met_, 0, patience_, item_, 0, &lost_};
    int parity_ = first_parity_;
    ARRIVE;
    WAIT;
    if (lost_) return;
    if (n_steps_ == 0) for (int i_ = 0; i_ < 16 && !lost_; ++i_) ALL_SEE;
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
            // Who had nothing that waits has not waited yet.
            WAIT;
            if (lost_) return;
            ${"ALL_SEE" if seen else "ARRIVE"};
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
% if any(site.meets for site in after):
                // Nobody goes on with elements that another group looks at.
                ARRIVE;
% endif
            }
% endif
        }
        parity_ = (parity_ + ${n_stages}) % 2;
    }
}
