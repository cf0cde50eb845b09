## One time step of Yee's scheme in one kernel, transverse magnetic, in vacuum.
##
##     Hx(i, j+1/2) -= c (Ez(i, j+1) - Ez(i, j))
##     Hy(i+1/2, j) += c (Ez(i+1, j) - Ez(i, j))
##     Ez(i, j)     += c (Hy(i+1/2, j) - Hy(i-1/2, j) - Hx(i, j+1/2) + Hx(i, j-1/2)),   c = dt / h
##
## Ez needs the new H of two neighbours, which are computed again rather than waited for: that costs
## arithmetic, of which there is plenty, and saves a pass through memory.  Old and new fields are
## different buffers, so that no neighbour is overtaken.
##
## All arrays are [row][column], row j and column i, with a margin of zeros all round.
##   width    columns that a work item takes as a vector; more than one is for CPUs
##   chunk    vectors of a row that it does one after the other
##   rows     rows that it does one after the other
<%
    vector = real + (str(width) if width > 1 else "")
    size = 8 if real == "double" else 4
    mask = f"convert_long{width}" if real == "double" else ""
%>\
% if real == "double":
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
% endif
typedef ${vector} vector;
// Beside a column, where a vector is not aligned.  vload would read it number by number on PoCL.
typedef ${vector} loose${f" __attribute__((aligned({size})))" if width > 1 else ""};
#define AT(array, i) (*(global const vector *)((array) + (i)))
#define BESIDE(array, i) (*(global const loose *)((array) + (i)))
#define PUT(array, i) (*(global vector *)((array) + (i)))

kernel void yee_step(
    global const ${real} *restrict hx, global const ${real} *restrict hy,
    global const ${real} *restrict ez, global ${real} *restrict new_hx,
    global ${real} *restrict new_hy, global ${real} *restrict new_ez,
    global const int *restrict first, global const int *restrict last,
    const int n_rows, const int n_columns, const int pitch, const int margin, const ${real} c)
{
    const int row_end = min((int)(get_global_id(1) + 1) * ${rows}, n_rows);
    const int column_begin = get_global_id(0) * ${chunk * width};
    const int column_end = min(column_begin + ${chunk * width}, n_columns);
    for (int j = get_global_id(1) * ${rows}; j < row_end; ++j) {
        const int begin = first[j], end = last[j];
        for (int i = column_begin; i < column_end; i += ${width}) {
            const int at = (j + 1) * pitch + margin + i;
            const vector e = AT(ez, at);
            const vector above = AT(hx, at) - c * (AT(ez, at + pitch) - e);
            const vector below = AT(hx, at - pitch) - c * (e - AT(ez, at - pitch));
            const vector right = AT(hy, at) + c * (BESIDE(ez, at + 1) - e);
            const vector left = BESIDE(hy, at - 1) + c * (e - BESIDE(ez, at - 1));
            const vector next = e + c * (right - left - above + below);
            PUT(new_hx, at) = above;
            PUT(new_hy, at) = right;
            // Inside the conductor Ez stays 0.
% if width > 1:
            const int${width} column = i + (int${width})(${", ".join(map(str, range(width)))});
            // Not &&, which PoCL computes number by number.
            PUT(new_ez, at) = select((vector)(0), next, ${mask}((column >= begin) & (column < end)));
% else:
            PUT(new_ez, at) = i >= begin && i < end ? next : 0;
% endif
        }
    }
}
