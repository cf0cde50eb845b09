## How V elements lie side by side, in the two forms a device can take them:
##   vector form (CPU): one work item holds a block of V elements, lane = component of a vector;
##   item form (GPU):   one work group holds a block, lane = work item, and ROWS work items share
##                      the nodes of each element through local memory.
## Every other template is written once, in these words:
##   real, real_v, int_v   a number; a number or an integer per lane
##   HERE(i)               place of entry i of this block, or of an array made with SHARED
##   SHARED                address space of arrays that the rows of one block share
##   SYNC                  wait for the other rows
##   EACH(i, first, n)     loop of this row over i = 0 .. n - 1, dealt out from row ``first``
##   GATHER(buffer, i)     buffer[i] with an index per lane
##   CHOOSE(c, yes, no)    yes or no per lane, c a comparison of int_v
<%def name="types()">
% if real == "double":
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
% endif
typedef ${real} real;
#define LANES ${shape.lanes}
% if shape.vector:
typedef ${real}${shape.lanes} real_v;
typedef int${shape.lanes} int_v;
#define BLOCK_STRIDE 1
#define HERE(i) (i)
#define SHARED
#define SYNC
#define EACH(i, first, n) for (int i = 0; i < (n); ++i)
#define GATHER(buffer, i) (real_v)(${", ".join(f"buffer[i.s{lane:x}]" for lane in range(shape.lanes))})
% if real == "double":
#define CHOOSE(c, yes, no) select(no, yes, convert_long${shape.lanes}(c))
% else:
#define CHOOSE(c, yes, no) select(no, yes, c)
% endif
% else:
typedef ${real} real_v;
typedef int int_v;
#define ROWS ${shape.rows}
#define BLOCK_STRIDE LANES
#define HERE(i) ((i) * LANES + lane)
#define SHARED local
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
#define EACH(i, first, n) for (int i = (row + (first)) % ROWS; i < (n); i += ROWS)
#define GATHER(buffer, i) buffer[i]
#define CHOOSE(c, yes, no) ((c) ? (yes) : (no))
% endif
</%def>

<%def name="attributes()">\
% if shape.vector:
__attribute__((reqd_work_group_size(1, 1, 1)))\
% else:
__attribute__((reqd_work_group_size(${shape.lanes * shape.rows}, 1, 1)))\
% endif
</%def>

<%def name="place()">
% if shape.vector:
    const int block = get_global_id(0);
    const int_v lane = (int_v)(${", ".join(map(str, range(shape.lanes)))});
% else:
    const int block = get_group_id(0);
    const int lane = get_local_id(0) % LANES;
    const int row = get_local_id(0) / LANES;
% endif
</%def>

## One column of a packed matrix tile: ``count`` numbers called {name}0, {name}1, ...  A CPU
## broadcasts each from memory; a GPU reads four at a time.
<%def name="column(name, pointer, count)">
% if shape.vector or count % 4:
% for i in range(count):
            const real ${name}${i} = ${pointer}[${i}];
% endfor
% else:
% for q in range(count // 4):
            const ${real}4 ${name}_quad${q} = ((global const ${real}4 *)${pointer})[${q}];
% for i in range(4):
            const real ${name}${4 * q + i} = ${name}_quad${q}.s${i};
% endfor
% endfor
% endif
</%def>
