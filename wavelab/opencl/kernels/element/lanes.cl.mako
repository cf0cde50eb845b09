## How V elements lie side by side: lane by lane in every buffer.  A work group computes one block of
## V elements.  Each work item takes ``width`` neighbouring lanes as the components of a vector, and
## ``rows`` times V / width items share the nodes of the block:
##   CPU: width V and one row, so a work item computes a block alone, without barriers;
##   GPU: width 1 or 2 and several rows, which share the fields through local memory.
## Every other template is written once, in these words:
##   real, real_v, int_v   a number; a number or an integer for each lane of a work item
##   HERE(i)               place of entry i of this block in a buffer of ``real_v``
##   BLOCK_STRIDE          distance of two entries there
##   KEPT(i)               place of entry i of this block in an array made with SHARED
##   SHARED                address space of arrays that the items of a group share
##   SYNC                  wait for the other rows
##   OTHERS_PUBLISHED      from here on, traces of neighbours are read; in one launch for many steps all groups
##                         are waited for here (wavelab/opencl/persistent)
##   EACH(i, first, n)     loop of this row over i = 0 .. n - 1, dealt out from row ``first``
##   GATHER(buffer, i)     buffer[i], a buffer of ``real`` and an index per lane
##   CHOOSE(c, yes, no)    yes or no per lane, c a comparison of int_v
##   PICK(name, i)         what lies i entries behind the pointers of each lane, see pointers() below
##   ASK_FOR(pointer)      have the cache line brought here that will be read soon
## A stage runs over all blocks, or, where others compute what is around (``split``), from
## ``first_block`` on over as many as there are groups.
<%!
#: By ``split``.
STAGE_BLOCK = {False: "get_group_id(0)", True: "get_group_id(0) + first_block"}
%>
<%def name="first_block()">\
${", const int first_block" if split else ""}\
</%def>
<%def name="types()">
% if real == "double":
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
% endif
typedef ${real} real;
typedef ${real}${config.width if config.width > 1 else ""} real_v;
typedef int${config.width if config.width > 1 else ""} int_v;
#define LANES ${config.lanes}
#define WIDTH ${config.width}
#define BLOCK_STRIDE (LANES / WIDTH)
% if config.width > 1:
#define GATHER(buffer, i) (real_v)(${", ".join(f"buffer[i.s{lane:x}]" for lane in range(config.width))})
% if real == "double":
#define CHOOSE(c, yes, no) (convert_long${config.width}(c) ? (yes) : (no))
% else:
#define CHOOSE(c, yes, no) ((c) ? (yes) : (no))
% endif
% else:
#define GATHER(buffer, i) buffer[i]
#define CHOOSE(c, yes, no) ((c) ? (yes) : (no))
% endif
## OpenCL's own prefetch() does nothing in PoCL; NVIDIA's compiler has the other, but takes no pointer.
#define ASK_FOR(pointer)
#if defined(__has_builtin) && !defined(__NV_CL_C_VERSION)
#if __has_builtin(__builtin_prefetch)
#undef ASK_FOR
#define ASK_FOR(pointer) __builtin_prefetch((const void *)(size_t)(pointer))
#endif
#endif
#define PICK(name, i) (real_v)(${", ".join(f"name##{lane}[i]" for lane in range(config.width))})
## Who does all of an element shares with nobody, and its loops over nodes are unrolled into registers.
% if config.by_node:
## Four entries of a lane side by side.
#define KEPT(i) (((i) / 4 * LANES + item) * 4 + (i) % 4)
% else:
#define KEPT(i) ${"(i)" if config.matrices == "literal" else "HERE(i)"}
% endif
## Behind it is what others published; before it goes on what does not need that.
#define OTHERS_PUBLISHED
% if config.alone:
#define HERE(i) (i)
#define SHARED
#define SYNC
#define EACH(i, first, n) for (int i = 0; i < (n); ++i)
% else:
#define ROWS ${config.rows}
#define HERE(i) ((i) * BLOCK_STRIDE + item)
#define SHARED local
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
#define EACH(i, first, n) for (int i##_round = 0, i = (row + (first)) % ROWS; i##_round < (n); i##_round += ROWS, i += ROWS) if (i < (n))
% endif
</%def>

<%def name="attributes()">\
__attribute__((reqd_work_group_size(${config.local_size[0]}, 1, 1)))\
</%def>

<%def name="place(block='get_group_id(0)')">
    const int block = ${block};
% if config.alone:
    const int item = 0;
% else:
    const int item = get_local_id(0) % BLOCK_STRIDE;
    const int row = get_local_id(0) / BLOCK_STRIDE;
% endif
% if config.width > 1:
    const int_v lane = item * WIDTH + (int_v)(${", ".join(map(str, range(config.width)))});
% else:
    const int lane = item;
% endif
</%def>

## A pointer for each lane to entry ``index`` of a buffer of ``real``.
<%def name="pointers(name, buffer, index)">
% for lane in range(config.width):
        global const real *${name}${lane} = ${buffer} + ${index}${f".s{lane:x}" if config.width > 1 else ""};
% endfor
</%def>

## One column of a packed matrix tile: ``count`` numbers called {name}0, {name}1, ...  A CPU
## broadcasts each from memory; a GPU reads four at a time.
<%def name="column(name, pointer, count)">
% if config.alone or count % 4:
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
