## One stage of the low-storage Runge-Kutta method in three kernels, the way of A. Kloeckner,
## T. Warburton and J. S. Hesthaven, "Solving Wave Equations on Unstructured Geometries", GPU Computing
## Gems Jade Edition (2011):
##
##   volume    derivatives inside each element               one work group per element,
##   surface   jumps across its faces, lifted to its nodes   one work item per node or face node
##   update    residual and fields                           one work item per number
##
## To be read first: everything the method does, once, in the order of the book and with nothing
## clever.  stage.cl.mako does the same work with the memory traffic of one kernel.
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="equations" file="maxwell_tm_per_node.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<% fields = system.module.FIELDS %>
<%def name="group(n_items)">__attribute__((reqd_work_group_size(${n_items}, 1, 1)))</%def>
// The fields of one element are differentiated by every node of it, so they are fetched once, side by
// side, into local memory.  The matrices are the same for all elements: all groups read them, and the
// caches keep them.  They are stored by columns, so that at each turn of the loop neighbouring items
// read neighbouring entries.  (The chapter keeps them in images, whose cache was the one that GPUs
// then had.  Where images are emulated they cost more than they bring.)
kernel ${group(nodes_per_element)}
void volume(
    global const real *restrict fields, global real *restrict rates,
    ${constants.arguments("real")},
    global const real *restrict diff_r, global const real *restrict diff_s)
{
    const int k = get_group_id(0), n = get_local_id(0);
    local real ${", ".join(f"{name}[NP]" for name in fields)};
% for f, name in enumerate(fields):
    ${name}[n] = FIELD(fields, k, ${f}, n);
% endfor
    barrier(CLK_LOCAL_MEM_FENCE);

    // Row n of D_r and D_s times the nodal values.
% for name in fields:
    real ${name}_r = 0, ${name}_s = 0;
% endfor
    for (int m = 0; m < NP; ++m) {
        const real dr = diff_r[m * NP + n], ds = diff_s[m * NP + n];
% for name in fields:
        ${name}_r += dr * ${name}[m];
        ${name}_s += ds * ${name}[m];
% endfor
    }

    // The chain rule: a straight-sided element is an affine image of the reference triangle, so four
    // numbers per element say all.
% for axis in ("x", "y"):
    const real dr_d${axis} = ${constants.at("k", f"dr_d{axis}")}, ds_d${axis} = ${constants.at("k", f"ds_d{axis}")};
% for name in fields:
    const real ${name}_${axis} = dr_d${axis} * ${name}_r + ds_d${axis} * ${name}_s;
% endfor
% endfor
    ${equations.volume()}
% for f, name in enumerate(fields):
    FIELD(rates, k, ${f}, n) = rate_${name};
% endfor
}

// Two parts with different work for each item: first one item per face node computes the flux there,
// then, after the barrier, one item per node sums up what all face nodes send it.  A group is as large
// as the larger part, and some of its items rest in the other.
//
// Where a face node is found on either side stands in two lists of 32-bit integers, one entry per face
// node: the only place where the mesh is unstructured.
kernel ${group(surface_items)}
void surface(
    global const real *restrict fields, global real *restrict rates,
    ${constants.arguments("real")},
    global const int *restrict inside, global const int *restrict outside,
    global const real *restrict lift,
% if turned:
    global const real *restrict turns,
% endif
    const real upwinding)
{
    const int k = get_group_id(0), item = get_local_id(0);
    local real ${", ".join(f"fluxes_{name}[3 * NFP]" for name in fields)};
    if (item < 3 * NFP) {
        const int face = item / NFP;
        const int here = inside[k * 3 * NFP + item], across = outside[k * 3 * NFP + item];
        const int wall = across < 0, there = wall ? here : across;
% for f, name in enumerate(fields):
        const real inside_${name} = fields[here + ${f} * PADDED];
        real outside_${name} = fields[there + ${f} * PADDED];
% endfor
        real face_upwinding = upwinding;
% if turned:
        // Where an edge is glued to one with another direction, the neighbour's fields turn with it.
        const real cosine = turns[(k * 3 + face) * 2], sine = turns[(k * 3 + face) * 2 + 1];
        ${equations.turn("cosine", "sine")}
% endif
        if (wall) {
            const real reflection = face == 0 ? ${constants.at("k", "reflection_0")} :
                face == 1 ? ${constants.at("k", "reflection_1")} : ${constants.at("k", "reflection_2")};
            ${equations.wall()}
        }
        // Outward normal times the ratio of the face's to the element's Jacobian: minus twice the
        // gradient of the barycentric coordinate that vanishes on the face.
        const real dr_dx = ${constants.at("k", "dr_dx")}, ds_dx = ${constants.at("k", "ds_dx")};
        const real dr_dy = ${constants.at("k", "dr_dy")}, ds_dy = ${constants.at("k", "ds_dy")};
        const real scaled_x = face == 0 ? -ds_dx : face == 1 ? dr_dx + ds_dx : -dr_dx;
        const real scaled_y = face == 0 ? -ds_dy : face == 1 ? dr_dy + ds_dy : -dr_dy;
        const real face_scale = face == 0 ? ${constants.at("k", "face_scale_0")} :
            face == 1 ? ${constants.at("k", "face_scale_1")} : ${constants.at("k", "face_scale_2")};
        const real outside_impedance = face == 0 ? ${constants.at("k", "outside_impedance_0")} :
            face == 1 ? ${constants.at("k", "outside_impedance_1")} : ${constants.at("k", "outside_impedance_2")};
        const real normal_x = scaled_x / face_scale, normal_y = scaled_y / face_scale;
        ${equations.flux()}
% for name in fields:
        fluxes_${name}[item] = face_scale * flux_${name};
% endfor
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (item < NP) {
% for name in fields:
        real lifted_${name} = 0;
% endfor
        for (int j = 0; j < 3 * NFP; ++j) {
            const real l = lift[j * NP + item];
% for name in fields:
            lifted_${name} += l * fluxes_${name}[j];
% endfor
        }
% for f, name in enumerate(fields):
        FIELD(rates, k, ${f}, item) += lifted_${name};
% endfor
    }
}

// residual = a residual + dt rates; fields += b residual.  The two lines of a low-storage method in
// one kernel, and all fields at once: this is memory traffic and nothing else.  Padding takes part,
// because leaving it out would cost more.
kernel void update(
    global real *restrict fields, global real *restrict residual, global const real *restrict rates,
    const int n_numbers, const real dt, const real a, const real b)
{
    const int i = get_global_id(0);
    if (i >= n_numbers) return;
    // The first stage starts afresh, whatever the residual held.
    const real step = a != 0 ? a * residual[i] + dt * rates[i] : dt * rates[i];
    residual[i] = step;
    fields[i] += b * step;
}
