## The traces of given fields: before the first stage, and whenever the fields were replaced.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%
    fields = system.module.FIELDS
    traces = system.module.TRACES[rank_one]
%>
## What node n, with new_hx, new_hy and new_ez, publishes on the faces it lies on.
<%def name="node(target)">\
        for (int side = 0; side < 2; ++side) {
            const int slot = face_slots[2 * n + side];
            if (slot < 0) break;
            const int face = slot / NFP;
            ${system.outgoing()}
% for c, name in enumerate(system.module.TRACES[rank_one]):
            ${target}[TRACE_HERE(slot, ${c})] = out_${name};
% endfor
        }
</%def>

## What a block of elements publishes on face f, where a work item does a block alone.
<%def name="face(f, target)">\
    for (int j = 0; j < NFP; ++j) {
        const int face = ${f}, n = face_nodes[${f} * NFP + j];
% for k, name in enumerate(system.module.FIELDS):
        const real_v new_${name} = fields[${k} * NP + n];
% endfor
        ${system.outgoing()}
% for c, name in enumerate(system.module.TRACES[rank_one]):
        ${target}[TRACE_HERE(${f} * NFP + j, ${c})] = out_${name};
% endfor
    }
</%def>

kernel ${lanes.attributes()}
void publish(
    global const real_v *restrict fields, global real_v *restrict traces,
    ${constants.arguments("real_v")})
{
    ${lanes.place()}
    fields += block * FIELD_BLOCK;
    traces += block * TRACE_BLOCK;
    ${constants.place()}
    ${system.metric()}
    ${system.element()}
    EACH(n, 0, NP) {
% for k, name in enumerate(fields):
        const real_v new_${name} = fields[HERE(${k} * NP + n)];
% endfor
        ${node("traces")}
    }
}
