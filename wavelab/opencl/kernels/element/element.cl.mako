## Types, sizes of one element and of one block, and where its face nodes are, in the AoSoA layout.
##
## Layout, reals, V lanes innermost:
##   fields, residual   [block][field][node][lane]
##   traces             [block][face node 0 .. 3 N_fp - 1][trace][lane]; where a shape is compact
##                      [element][face node][trace], so that a face is read in one piece
##   coefficients       see constants.cl.mako
##   outside            [block][face][lane]: where the last node of the neighbour's face is in
##                      ``traces``; neighbours run through a face the other way.  A wall has its own.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
${lanes.types()}
#define N_FIELDS ${len(system.module.FIELDS)}
#define N_TRACES ${len(system.module.TRACES[rank_one])}
#define N_COEFFICIENTS ${len(metric if compact else coefficients)}
#define N_MATERIALS ${len(material)}
#define NP ${nodes_per_element}
#define NFP ${nodes_per_face}
#define FIELD_BLOCK (N_FIELDS * NP * BLOCK_STRIDE)
#define TRACE_BLOCK (3 * NFP * N_TRACES * BLOCK_STRIDE)

constant int face_nodes[3 * NFP] = {${", ".join(map(str, face_nodes.ravel()))}};
// A node lies on at most two faces: its places among the face nodes, or -1.
constant int face_slots[2 * NP] = {${", ".join(map(str, face_slots.ravel()))}};

// Reals one by one, for kernels with a work item per element.
#define AT(buffer, n_entries, k, i) buffer[(((k) / LANES) * (n_entries) + (i)) * LANES + (k) % LANES]
#define FIELD(buffer, k, f, n) AT(buffer, N_FIELDS * NP, k, (f) * NP + (n))
% if config.compact:
#define TRACE(buffer, k, slot, c) buffer[((k) * 3 * NFP + (slot)) * N_TRACES + (c)]
#define TRACE_HERE(slot, c) ((lane * 3 * NFP + (slot)) * N_TRACES + (c))
% else:
#define TRACE(buffer, k, slot, c) AT(buffer, 3 * NFP * N_TRACES, k, (slot) * N_TRACES + (c))
#define TRACE_HERE(slot, c) HERE((slot) * N_TRACES + (c))
% endif
