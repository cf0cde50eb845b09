## A permeability that is a tensor (wavelab/physics/operator/tensor.py), on blocks of elements that have it.
##
## The stage has added b times the residual to H, which is that of B / mu; T times that is right.  Slot i of
## a listed block is a lane of it, and ``shares`` are T - 1, [listed block][xx, xy, yy][lane]: 0 for lanes
## that are not listed.
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="published" file="publish.cl.mako"/>
<%
    fields = system.module.FIELDS
    hx, hy = fields.index("hx"), fields.index("hy")
%>
<%include file="${layout}.cl.mako"/>
% if publishes:
#define TURN_KERNEL kernel ${lanes.attributes()}
#define EACH_NODE EACH(n, 0, NP)
#define ENTRY(i) HERE(i)
#define STRIDE BLOCK_STRIDE
#define NODE(f, n) HERE((f) * NP + (n))
% else:
#define TURN_KERNEL kernel
#define EACH_NODE const int n = get_global_id(0) % NP;
#define ENTRY(i) (i)
#define STRIDE 1
#define NODE(f, n) ((f) * PADDED + (n))
#define FIELD_BLOCK (N_FIELDS * PADDED)
typedef real real_v;
% endif

TURN_KERNEL
void turn(
    global real_v *restrict fields, global const real_v *restrict residual,
% if publishes:
    global real_v *restrict traces, ${constants.arguments("real_v")},
% endif
    global const real_v *restrict shares, global const int *restrict listed_blocks,
    const int n_listed, const real b)
{
% if publishes:
    ${lanes.place("listed_blocks[get_group_id(0)]")}
    const int listed = get_group_id(0);
    traces += block * TRACE_BLOCK;
    ${constants.place()}
    ${system.metric()}
    ${system.element()}
% else:
    if (get_global_id(0) >= (size_t)n_listed * NP) return;
    const int listed = get_global_id(0) / NP, block = listed_blocks[listed];
% endif
    fields += block * FIELD_BLOCK;
    residual += block * FIELD_BLOCK;
    shares += listed * 3 * STRIDE;
    const real_v xx = shares[ENTRY(0)], xy = shares[ENTRY(1)], yy = shares[ENTRY(2)];
    EACH_NODE {
        const real_v step_hx = b * residual[NODE(${hx}, n)], step_hy = b * residual[NODE(${hy}, n)];
        const real_v new_hx = fields[NODE(${hx}, n)] + xx * step_hx + xy * step_hy;
        const real_v new_hy = fields[NODE(${hy}, n)] + xy * step_hx + yy * step_hy;
        fields[NODE(${hx}, n)] = new_hx;
        fields[NODE(${hy}, n)] = new_hy;
% if publishes:
        const real_v new_ez = fields[NODE(${fields.index("ez")}, n)];
        ${published.node("traces")}
% endif
    }
}

// By how much B . H / 2 is more than mu H^2 / 2, with M - mu; a work item per element that has the tensor.
<%def name="listed()">
    const int i = get_global_id(0);
    if (i >= n_elements) return;
    const int k = elements[i];
</%def>\
kernel void add_energy(
    global const real *restrict fields, global const int *restrict elements, const int n_elements,
    const real xx, const real xy, const real yy,
    global const real *restrict scales, global const int *restrict which_mass,
    global const real *restrict masses, global real *restrict energy)
{
    ${listed()}
    global const real *mass = masses + which_mass[i] * NP * NP;
    real sum = 0;
    for (int m = 0; m < NP; ++m) {
        real tested_hx = 0, tested_hy = 0;
        for (int n = 0; n < NP; ++n) {
            tested_hx += mass[m * NP + n] * FIELD(fields, k, ${hx}, n);
            tested_hy += mass[m * NP + n] * FIELD(fields, k, ${hy}, n);
        }
        sum += FIELD(fields, k, ${hx}, m) * (xx * tested_hx + xy * tested_hy);
        sum += FIELD(fields, k, ${hy}, m) * (xy * tested_hx + yy * tested_hy);
    }
    energy[k] += scales[i] / 2 * sum;
}

kernel void add_density(
    global const real *restrict fields, global const int *restrict elements, const int n_elements,
    const real xx, const real xy, const real yy, global float *restrict shown)
{
    ${listed()}
    for (int n = 0; n < NP; ++n) {
        const real here_hx = FIELD(fields, k, ${hx}, n), here_hy = FIELD(fields, k, ${hy}, n);
        const real sum = xx * here_hx * here_hx + 2 * xy * here_hx * here_hy + yy * here_hy * here_hy;
        shown[k * NP + n] += (float)(sum / 2);
    }
}
