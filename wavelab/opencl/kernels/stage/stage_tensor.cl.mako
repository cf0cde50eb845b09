## The same stage in double precision for a device with matrix units (NVIDIA's tensor cores): for high
## orders, whose matrices as literals do not fit the instruction cache.  A warp does eight elements:
##   - operands are columns of eight elements, four nodes at a time; lane 4 e + k of the warp has
##     node k of element e;
##   - matrices are read as the units take them, by tiles of eight rows: of eight by four entries
##     lane 4 i + k has entry (i, k);
##   - results are tiles of eight nodes by eight elements; lane 4 i + p has node i of elements 2 p and
##     2 p + 1.
## What pays, by timings on an H100, where the units are never busy for more than half of the time and
## all depends on how many warps wait for memory at a time:
##   - the curl's operands are in local memory.  With all in registers there were 8 warps to a
##     multiprocessor, and not 12;
##   - all that the faces need from memory is asked for before any of it is used.
## Hints to the caches, the residual one tile ahead and more warps to a group made it slower.
<%namespace name="lanes" file="lanes.cl.mako"/>\
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="owned" file="owned_nodes.cl.mako"/>
<%!
from wavelab.opencl.variants.configs import TENSOR_KEPT
%>
<%
    fields = system.module.FIELDS
    derivatives_of = system.module.DERIVATIVES
    lifted_to = system.module.LIFTED[rank_one]
    traces = system.module.TRACES[rank_one]
    fluxes = system.module.FLUXES[rank_one]
    n_columns, n_face_columns = -(-nodes_per_element // 4), -(-nodes_per_face // 4)
    n_tiles = -(-nodes_per_element // 8)
    # Entries of a tile: D_r and D_s side by side, then the lifts of the faces.
    tile_size = 32 * (2 * n_columns + 3 * n_face_columns)
    sums = [f"{operand}_{matrix}" for operand, matrix, _ in derivatives_of]
    outbox = owned.module.outbox(face_nodes, traces)
    # What is computed once for an element, for those that have results of it.
    publishing = ["impedance", *(f"normal_{axis}{f}" for axis in "xy" for f in range(3))]
    kept = list(dict.fromkeys(
        ["loss", *publishing]
        + [factor for _, _, targets in derivatives_of for _, factor in targets]
        + [f"{field}_face{f}" for f in range(3) for field in fields]
    ))
    assert len(kept) == TENSOR_KEPT, "configs.local_bytes counts these"
    warps = config.lanes // 8
    operands = {
        "ez": lambda k: f"ez[{k}]",
        "curl_r": lambda k: f"curl_r[{32 * k}]",
        "curl_s": lambda k: f"curl_s[{32 * k}]",
    }
%>
% if matrix_units:
#define MULTIPLY(sum, entry, x) asm volatile( \
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" \
    : "+d"(sum##_0), "+d"(sum##_1) : "d"(entry), "d"(x))
% endif

## sum += matrix operand for a tile, for each (sum, operand, which of the matrices side by side).
## ``beside`` matrices of ``count`` fragments begin ``first`` entries behind ``entries``; operands are
## expressions in k.
<%def name="multiply(products, first, beside, count)">
% if matrix_units:
% for k in range(count):
        {
            const double${beside if beside > 1 else ""} entry = ((global const double${beside if beside > 1 else ""} *)(entries + ${first}))[${32 * k} + id];
% for sum, operand, which in products:
            MULTIPLY(${sum}, entry${f".s{which}" if beside > 1 else ""}, ${operand(k)});
% endfor
        }
% endfor
% else:
        // What the units do, by work items, which show each other their operands.
<% shown = list(dict.fromkeys(operand for _, operand, _ in products)) %>\
% for o, operand in enumerate(shown):
% for k in range(count):
        given[${32 * (count * o + k)}] = ${operand(k)};
% endfor
% endfor
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < ${4 * count}; ++k) {
            const int here = k / 4 * 32 + k % 4;
% for sum, operand, which in products:
% for side in range(2):
            ${sum}_${side} += entries[${first} + ${beside} * (here + 4 * line) + ${which}] * given[${32 * count * shown.index(operand) + 4 * side} + here + 8 * pair - id];
% endfor
% endfor
        }
        barrier(CLK_LOCAL_MEM_FENCE);
% endif
</%def>

<%def name="of_element(name, side)">kept[${kept.index(name)} * LANES + column + ${side}]</%def>

## Entry ``i`` of four at a time, where the last few may be beyond the end: there matrices are zero.
<%def name="clamped(k, size, end)">${f"{4 * k} + part" if 4 * k + 3 < size else f"min({4 * k} + part, {end} - 1)"}</%def>

kernel __attribute__((reqd_work_group_size(${config.local_size[0]}, 1, 1)))
void stage(
    global real *restrict fields, global real *restrict residual,
    global const real *restrict traces, global real *restrict new_traces,
    ${constants.arguments("real")}, global const int *restrict outside,
    global const real *restrict matrices,
    const real upwinding, const real dt, const real a, const real b, const int keep_residual${lanes.first_block()})
{
    const int block = ${lanes.module.STAGE_BLOCK[split]}, id = get_local_id(0) % 32, warp = get_local_id(0) / 32;
    // Of operands, and of results.
    const int item = 8 * warp + id / 4, lane = item, part = id % 4;
    const int line = id / 4, pair = id % 4, column = 8 * warp + 2 * pair;
    local real kept[${len(kept)} * LANES], outgoing[LANES * ${outbox}];
    local real curl_r_of[${32 * n_columns * warps}], curl_s_of[${32 * n_columns * warps}];
    local real *curl_r = curl_r_of + ${32 * n_columns} * warp + id, *curl_s = curl_s_of + ${32 * n_columns} * warp + id;
    real ez[${n_columns}];
% if not matrix_units:
    local real given_by[${32 * 3 * n_columns * warps}];
    local real *given = given_by + ${32 * 3 * n_columns} * warp + id;
% endif
    fields += block * FIELD_BLOCK;
    residual += block * FIELD_BLOCK;
    outside += block * 3 * BLOCK_STRIDE;
    new_traces += block * TRACE_BLOCK;
    ${constants.place()}
    ${system.metric()}
% for k in range(n_columns):
    {
        const int n = ${clamped(k, nodes_per_element, "NP")};
% for f, name in enumerate(fields):
        const real old_${name} = fields[HERE(${f} * NP + n)];
% endfor
        ${operands["ez"](k)} = old_ez;
% for matrix in "rs":
        ${operands[f"curl_{matrix}"](k)} = ${system.curl(matrix, "")};
% endfor
    }
% endfor
% for f in range(3):
    const int outside${f} = outside[HERE(${f})];
% for k in range(n_face_columns):
    const int slot${f}_${k} = ${clamped(k, nodes_per_face, "NFP")};
    const int node${f}_${k} = face_nodes[${f} * NFP + slot${f}_${k}];
% for i, name in enumerate(fields):
    const real ${name}${f}_${k} = fields[HERE(${i} * NP + node${f}_${k})];
% endfor
% for c, name in enumerate(traces):
    const real across_${name}${f}_${k} = traces[outside${f} - slot${f}_${k} * N_TRACES + ${c}];
% endfor
% endfor
% endfor
    ${system.element()}
    ${system.factors()}
    if (part == 0) {
% for i, name in enumerate(kept):
        kept[${i} * LANES + lane] = ${name};
% endfor
    }
% for f in range(3):
    real ${", ".join(f"flux_{name}{f}[{n_face_columns}]" for name in fluxes)};
    {
        ${owned.face(f)}
% for k in range(n_face_columns):
        {
            const real inside_e = ez${f}_${k};
            const real inside_h = normal_x${f} * hy${f}_${k} - normal_y${f} * hx${f}_${k};
% for name in traces:
            const real across_${name} = across_${name}${f}_${k};
% endfor
            ${system.flux(f)}
% for name in fluxes:
            flux_${name}${f}[${k}] = ${name};
% endfor
        }
% endfor
    }
% endfor
    // From here on fields change.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

    #pragma unroll 1
    for (int tile = 0; tile < ${n_tiles}; ++tile) {
        const int n = 8 * tile + line, place = min(n, NP - 1) * LANES + column;
        global const real *entries = matrices + tile * ${tile_size};
% for f, name in enumerate(fields):
        global double2 *${name}_here = (global double2 *)(fields + ${f} * NP * LANES + place);
        global double2 *${name}_before = (global double2 *)(residual + ${f} * NP * LANES + place);
        const double2 old_${name}s = *${name}_here;
        double2 new_${name}s, step_${name}s = 0;
        if (a != 0) step_${name}s = *${name}_before;
% endfor
        real ${", ".join(f"{name}_{side} = 0" for name in sums for side in range(2))};
        real ${", ".join(f"lifted_{name}{f}_{side} = 0" for name in fluxes for f in range(3) for side in range(2))};
        ${multiply([(sum, operands[name], "rs".index(matrix)) for sum, (name, matrix, _) in zip(sums, derivatives_of)], 0, 2, n_columns)}
% for f in range(3):
        ${multiply([(f"lifted_{name}{f}", lambda k, name=name: f"flux_{name}{f}[{k}]", 0) for name in fluxes], 32 * (2 * n_columns + f * n_face_columns), 1, n_face_columns)}
% endfor
% for side in range(2):
        {
            const real loss = ${of_element("loss", side)};
% for name in fields:
            const real old_${name} = old_${name}s.s${side};
            real step_${name} = step_${name}s.s${side};
% endfor
            ${system.begin("")}
% for sum, (_, _, targets) in zip(sums, derivatives_of):
% for target, factor in targets:
            step_${target} = fma(${of_element(factor, side)}, ${sum}_${side}, step_${target});
% endfor
% endfor
% for f in range(3):
% for name, targets in lifted_to:
% for target in targets:
            step_${target} = fma(${of_element(f"{target}_face{f}", side)}, lifted_${name}${f}_${side}, step_${target});
% endfor
% endfor
% endfor
% for name in fields:
            step_${name}s.s${side} = step_${name};
            new_${name}s.s${side} = fma(b, step_${name}, old_${name});
% endfor
        }
% endfor
        if (n < NP) {
% for name in fields:
            if (keep_residual) *${name}_before = step_${name}s;
            *${name}_here = new_${name}s;
% endfor
            for (int i = 0; i < 2; ++i) {
                const int slot = face_slots[2 * n + i];
                if (slot < 0) break;
                const int face = slot / NFP;
% for side in range(2):
                {
% for name in publishing:
                    const real ${name} = ${of_element(name, side)};
% endfor
% for name in fields:
                    const real new_${name} = new_${name}s.s${side};
% endfor
                    ${system.outgoing()}
% for c, name in enumerate(traces):
                    outgoing[(column + ${side}) * ${outbox} + slot * N_TRACES + ${c}] = out_${name};
% endfor
                }
% endfor
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ${owned.send()}
}
