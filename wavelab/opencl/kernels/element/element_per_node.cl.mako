## Sizes and places for the variant with a work item per node.
##
## Layout, reals, node innermost:
##   fields, residual, rates   [element][field][node], nodes filled up to PADDED: to a multiple of 16,
##                             so that every element begins at a cache line
##   coefficients              [element][coefficient]
<%namespace name="system" file="maxwell_tm.cl.mako"/>
% if real == "double":
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
% endif
typedef ${real} real;
#define N_FIELDS ${len(system.module.FIELDS)}
#define N_COEFFICIENTS ${len(coefficients)}
#define NP ${nodes_per_element}
#define NFP ${nodes_per_face}
#define PADDED ${padded_nodes}
#define AT(buffer, n_entries, k, i) buffer[(k) * (n_entries) + (i)]
#define FIELD(buffer, k, f, n) AT(buffer, N_FIELDS * PADDED, k, (f) * PADDED + (n))
