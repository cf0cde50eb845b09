## Changing the fields between stages, with what the elements have published.  For kernels with a work
## item per node or per element; a node may be changed by one work item only.
##   publishes   whether elements exchange traces, which have to follow
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<% fields = system.module.FIELDS %>
## Parameter and argument for the traces, where there are any.
<%def name="traces()">${"global real *traces," if publishes else ""}</%def>\
<%def name="to_traces()">${"traces," if publishes else ""}</%def>\
// Adds to Ez at node n of element k\
% if publishes:
, and to what the element publishes there: its first trace is
// Ez plus something else\
% endif
.
void add_to_ez(
    global real *fields, ${traces()} const int k, const int n, const real change)
{
    FIELD(fields, k, ${fields.index("ez")}, n) += change;
% if publishes:
    for (int side = 0; side < 2; ++side) {
        const int slot = face_slots[2 * n + side];
        if (slot < 0) break;
        TRACE(traces, k, slot, 0) += change;
    }
% endif
}
