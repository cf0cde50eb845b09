## How kernels take curved elements, and products with these; curved.cl.mako says how they
## lie.  An element is a work item on a processor and elsewhere a work group with an item per node:
##   DENSE_KERNEL, DENSE_ELEMENT   begin of a kernel; number of the element in it
##   TOGETHER, MEET                address space of what an element's items share; wait for them
##   EACH_OF(i, n)                 each i = 0 .. n - 1, an item for each or one after the other
##   RATE(name)                    the rate of change that was added up, in EACH_OF(n, NP)
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="curved" file="maxwell_tm_curved.cl.mako"/>
<%
    rows, face_rows = (-(-n // together) for n in (nodes_per_element, nodes_per_face))
    wide = f"{real}{together if together > 1 else ''}"
%>
// Rows and rows of faces, in vectors and one by one.
#define ROWS_OF_NODES ${rows}
#define ROWS_OF_FACE ${face_rows}
#define ROW (ROWS_OF_NODES * ${together})
#define FACE_ROW (ROWS_OF_FACE * ${together})
#define DENSE_SIZE (${dense_size})
typedef ${wide} real_w;
#define VECTOR(buffer, i) ${f"vload{together}(i, buffer)" if together > 1 else "(buffer)[i]"}
% if grouped:
#define DENSE_KERNEL kernel __attribute__((reqd_work_group_size(${grouped}, 1, 1)))
#define DENSE_ELEMENT get_group_id(0)
#define TOGETHER local
#define MEET barrier(CLK_LOCAL_MEM_FENCE)
#define EACH_OF(i, n) for (int i = get_local_id(0), once = 1; once && i < (n); once = 0)
% else:
#define DENSE_KERNEL kernel
#define DENSE_ELEMENT get_global_id(0)
#define TOGETHER
#define MEET
#define EACH_OF(i, n) for (int i = 0; i < (n); ++i)
% endif
% if grouped:
#define RATE_ROW(name) rate_##name
#define RATE(name) rate_##name
% else:
#define RATE_ROW(name) rate_##name[row]
#define RATE(name) ((real *)rate_##name)[n]
% endif

## Where the matrices of element number ``own`` are.
<%def name="matrices()">
    matrices += own * DENSE_SIZE;
    global const real *diff_x = matrices, *diff_y = diff_x + ROW * NP;
    global const real *lift = diff_y + ROW * NP, *lift_x = lift + 3 * NFP * ROW;
    global const real *lift_y = lift_x + 3 * NFP * ROW;
    global const real *tangent_x = matrices + ROW * (2 * NP + 9 * NFP);
    global const real *tangent_y = tangent_x + 3 * NFP * FACE_ROW;
</%def>

## H at all face nodes, from arrays hx and hy of nodal values, into h_here.
<%def name="tangential(hx='hx', hy='hy', h_here='h_here')">
% if grouped:
    EACH_OF(s, 3 * NFP) {
        real h = 0;
#pragma unroll
        for (int j = 0; j < NFP; ++j) {
            const int entry = (s / NFP * NFP + j) * FACE_ROW + s % NFP;
            const int m = face_nodes[s / NFP * NFP + j];
            h += tangent_x[entry] * ${hy}[m] - tangent_y[entry] * ${hx}[m];
        }
        ${h_here}[s] = h;
    }
% else:
    for (int face = 0; face < 3; ++face) {
        real_w h[ROWS_OF_FACE] = {0};
        for (int j = 0; j < NFP; ++j) {
            const real hx_j = ${hx}[face_nodes[face * NFP + j]], hy_j = ${hy}[face_nodes[face * NFP + j]];
            for (int row = 0; row < ROWS_OF_FACE; ++row) {
                const int entry = (face * NFP + j) * ROWS_OF_FACE + row;
                h[row] += VECTOR(tangent_x, entry) * hy_j - VECTOR(tangent_y, entry) * hx_j;
            }
        }
        for (int i = 0; i < NFP; ++i) ${h_here}[face * NFP + i] = ((real *)h)[i];
    }
% endif
</%def>

## Rates of change to be added up.
<%def name="rates()">
% for name in system.module.FIELDS:
    ${f"real rate_{name} = 0;" if grouped else f"real_w rate_{name}[ROWS_OF_NODES] = {{0}};"}
% endfor
</%def>

<%def name="each_row()">\
${"" if grouped else "for (int row = 0; row < ROWS_OF_NODES; ++row)"}\
</%def>

## Derivatives of the fields in arrays hx, hy, ez.
<%def name="add_volume()">
% if grouped:
    EACH_OF(row, NP) {
#pragma unroll
% endif
    for (int m = 0; m < NP; ++m) {
% for name in system.module.FIELDS:
        const real ${name}_m = ${name}[m];
% endfor
        ${each_row()} {
            const int entry = m * ROWS_OF_NODES + row;
            const real_w dx = VECTOR(diff_x, entry), dy = VECTOR(diff_y, entry);
            ${curved.volume()}
        }
    }
% if grouped:
    }
% endif
</%def>

## Lifted fluxes.
<%def name="add_surface(e, h)">
% if grouped:
    EACH_OF(row, NP) {
#pragma unroll
% endif
    for (int j = 0; j < 3 * NFP; ++j) {
        const real e_j = impedance * ${e}[j], h_j = ${h}[j];
        ${each_row()} {
            const int entry = j * ROWS_OF_NODES + row;
            const real_w l = VECTOR(lift, entry), lx = VECTOR(lift_x, entry);
            const real_w ly = VECTOR(lift_y, entry);
            ${curved.surface()}
        }
    }
% if grouped:
    }
% endif
</%def>
