## One time step of Yee's scheme in one kernel, transverse magnetic, in vacuum.
##
##     Hx(i, j+1/2) -= c (Ez(i, j+1) - Ez(i, j))
##     Hy(i+1/2, j) += c (Ez(i+1, j) - Ez(i, j))
##     Ez(i, j)     += c (Hy(i+1/2, j) - Hy(i-1/2, j) - Hx(i, j+1/2) + Hx(i, j-1/2)),   c = dt / h
##
## All arrays are [row][column], row j and column i, with a margin of zeros all round.  The two forms
## move each number through memory once in and once out:
##   two buffers   A work item takes a column of a few rows.  What it needs of the new H of its
##                 neighbours it computes again.  Old and new fields are different buffers, so that
##                 no neighbour is overtaken.  For GPUs.
##   in place      A work item takes a strip of whole rows from bottom to top and updates H and Ez row
##                 by row.  Strips would overtake each other only at their first and last row, so
##                 they leave copies of those for the next step.  For CPUs, which read a cache line
##                 before they write it: in place it is needed anyway.
##
##   width    columns that a work item takes as a vector
##   rows     rows that a work item takes
<%
    vector = real + (str(width) if width > 1 else "")
    mask = f"convert_long{width}" if real == "double" else ""
%>\
% if real == "double":
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
% endif
typedef ${real} real;
typedef ${vector} vector;
#define ROW(j) (((j) + 1) * pitch + margin)
#define AT(array, i) (*(global const vector *)((array) + (i)))
#define PUT(array, i) (*(global vector *)((array) + (i)))

% if in_place:
// A strip leaves its first row of Ez, its last row of Ez and its last row of Hx.
#define FIRST_EZ(strip) ((strip) * 3 * pitch + margin)
#define LAST_EZ(strip) (((strip) * 3 + 1) * pitch + margin)
#define LAST_HX(strip) (((strip) * 3 + 2) * pitch + margin)

kernel void yee_step(
    global real *restrict hx, global real *restrict hy, global real *restrict ez,
    global const real *restrict edges, global real *restrict new_edges,
    global const int *restrict first, global const int *restrict last,
    const int n_rows, const int n_columns, const int pitch, const int margin, const real c)
{
    const int strip = get_global_id(0);
    const int bottom = strip * ${rows}, top = min(bottom + ${rows}, n_rows);
    for (int j = bottom; j < top; ++j) {
        const int begin = first[j], end = last[j];
        // Beyond the first and last strip there is the margin.
        const bool other_strip = j + 1 == top && top < n_rows;
        global const real *above = other_strip ? edges + FIRST_EZ(strip + 1) : ez + ROW(j + 1);
        vector e = AT(ez, ROW(j));
        real hy_before = 0;
        for (int i = 0; i < n_columns; i += ${width}) {
            const int at = ROW(j) + i;
            const vector e_next = AT(ez, at + ${width});
            const vector hx_above = AT(hx, at) - c * (AT(above, i) - e);
% if width > 1:
            // Shuffled out of registers: loads that are not aligned are slow on PoCL.
            const vector e_right = (vector)(${", ".join(f"e.s{k:x}" for k in range(1, width))}, e_next.s0);
% else:
            const vector e_right = e_next;
% endif
            const vector hy_right = AT(hy, at) + c * (e_right - e);
% if width > 1:
            const vector hy_left = (vector)(hy_before, ${", ".join(f"hy_right.s{k:x}" for k in range(width - 1))});
            hy_before = hy_right.s${f"{width - 1:x}"};
% else:
            const vector hy_left = hy_before;
            hy_before = hy_right;
% endif
            vector hx_below;
            if (j > bottom)
                hx_below = AT(hx, at - pitch);
            else if (strip > 0)
                hx_below = AT(edges, LAST_HX(strip - 1) + i)
                    - c * (e - AT(edges, LAST_EZ(strip - 1) + i));
            else
                hx_below = 0;
            const vector next = e + c * (hy_right - hy_left - hx_above + hx_below);
            PUT(hx, at) = hx_above;
            PUT(hy, at) = hy_right;
            // Inside the conductor Ez stays 0.
% if width > 1:
            const int${width} column = i + (int${width})(${", ".join(map(str, range(width)))});
            // Not &&, which PoCL computes number by number.
            PUT(ez, at) = select((vector)(0), next, ${mask}((column >= begin) & (column < end)));
% else:
            PUT(ez, at) = i >= begin && i < end ? next : 0;
% endif
            e = e_next;
        }
    }
    for (int i = 0; i < n_columns; i += ${width}) {
        PUT(new_edges, FIRST_EZ(strip) + i) = AT(ez, ROW(bottom) + i);
        PUT(new_edges, LAST_EZ(strip) + i) = AT(ez, ROW(top - 1) + i);
        PUT(new_edges, LAST_HX(strip) + i) = AT(hx, ROW(top - 1) + i);
    }
}
% else:
kernel void yee_step(
    global const real *restrict hx, global const real *restrict hy,
    global const real *restrict ez, global real *restrict new_hx,
    global real *restrict new_hy, global real *restrict new_ez,
    global const int *restrict first, global const int *restrict last,
    const int n_rows, const int n_columns, const int pitch, const int margin, const real c)
{
    const int i = get_global_id(0);
    if (i >= n_columns) return;
    const int top = min((int)(get_global_id(1) + 1) * ${rows}, n_rows);
    for (int j = get_global_id(1) * ${rows}; j < top; ++j) {
        const int at = ROW(j) + i;
        const real e = ez[at];
        const real hx_above = hx[at] - c * (ez[at + pitch] - e);
        const real hx_below = hx[at - pitch] - c * (e - ez[at - pitch]);
        const real hy_right = hy[at] + c * (ez[at + 1] - e);
        const real hy_left = hy[at - 1] + c * (e - ez[at - 1]);
        new_hx[at] = hx_above;
        new_hy[at] = hy_right;
        // Inside the conductor Ez stays 0.
        new_ez[at] = i >= first[j] && i < last[j]
            ? e + c * (hy_right - hy_left - hx_above + hx_below) : 0;
    }
}
% endif
