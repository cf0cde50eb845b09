## One stage of the low-storage Runge-Kutta method in one kernel: volume term, surface flux,
## lifting and update.  What is discontinuous Galerkin is here; the equations come from ``system``.
## Matrices are read as they are, a tile of rows at a time, and items may share an element.
##
## The fields change in place: all that other elements read are the traces, and those are written
## to a second buffer.
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="published" file="publish.cl.mako"/>
<%
    fields = system.module.FIELDS
    operands = system.module.OPERANDS
    products = system.module.PRODUCTS
    traces = system.module.TRACES[rank_one]
    fluxes = system.module.FLUXES[rank_one]
    sums = list(dict.fromkeys(name for name, _, _ in products))
    tile = config.tile
    n_tiles = -(-nodes_per_element // tile)
    padded = n_tiles * tile != nodes_per_element
%>

kernel ${lanes.attributes()}
void stage(
    global real_v *restrict fields, global real_v *restrict residual,
    global const real *restrict traces, global real_v *restrict new_traces,
    ${constants.arguments("real_v")}, global const int_v *restrict outside,
    global const real *restrict derivatives, global const real *restrict lift,
    const real upwinding, const real dt, const real a, const real b, const int keep_residual${lanes.first_block()})
{
    ${lanes.place(lanes.module.STAGE_BLOCK[split])}
% for name in operands:
    SHARED real_v ${name}[NP * BLOCK_STRIDE];
% endfor
% for name in fluxes:
    SHARED real_v flux_${name}[3 * NFP * BLOCK_STRIDE];
% endfor
    fields += block * FIELD_BLOCK;
    residual += block * FIELD_BLOCK;
    new_traces += block * TRACE_BLOCK;
    ${constants.place()}
    outside += block * 3 * BLOCK_STRIDE;
    ${system.metric()}
    ${system.element()}

    EACH(n, 0, NP) {
% for k, name in enumerate(fields):
        const real_v here_${name} = fields[HERE(${k} * NP + n)];
% endfor
        ${system.operands()}
    }
    SYNC;

% for f in range(3):
    {
        const int_v across = outside[HERE(${f})];
        const int_v wall = across == ((block * 3 + ${f}) * NFP + NFP - 1) * N_TRACES * LANES + lane;
        ${system.face(f)}
        // Rows take turns through all faces, so that none has more than one node extra.
        EACH(j, ${-f * nodes_per_face % config.rows}, NFP) {
            const int n = face_nodes[${f} * NFP + j];
% for c, name in enumerate(traces):
            const real_v across_${name} = GATHER(traces, (across - (j * N_TRACES - ${c}) * LANES));
% endfor
            const real_v inside_e = ez[KEPT(n)];
<% scaled_h = system.module.SCALED_H[f].replace("curl_r", "curl_r[KEPT(n)]").replace("curl_s", "curl_s[KEPT(n)]") %>\
            const real_v inside_h = (${scaled_h}) * inverse_scale${f};
            ${system.flux(f)}
% for name in fluxes:
            flux_${name}[KEPT(${f} * NFP + j)] = ${name};
% endfor
        }
    }
% endfor
    SYNC;

    EACH(tile, 0, ${n_tiles}) {
% for i in range(tile):
        real_v ${", ".join(f"{name}{i} = 0" for name in sums)};
% endfor
        global const real *column = derivatives + tile * NP * ${2 * tile};
        for (int m = 0; m < NP; ++m, column += ${2 * tile}) {
            ${lanes.column("d", "column", 2 * tile)}
% for name in operands:
            const real_v ${name}_m = ${name}[KEPT(m)];
% endfor
% for i in range(tile):
% for name, matrix, operand in products:
            ${name}${i} += d${i + tile * "rs".index(matrix)} * ${operand}_m;
% endfor
% endfor
        }
% for i in range(tile):
        ${system.volume(i)}
% endfor
        column = lift + tile * 3 * NFP * ${tile};
% for f in range(3):
        {
% for i in range(tile):
            real_v ${", ".join(f"lifted_{name}{i} = 0" for name in fluxes)};
% endfor
            for (int j = 0; j < NFP; ++j, column += ${tile}) {
                ${lanes.column("l", "column", tile)}
% for name in fluxes:
                const real_v ${name}_j = flux_${name}[KEPT(${f} * NFP + j)];
% for i in range(tile):
                lifted_${name}${i} += l${i} * ${name}_j;
% endfor
% endfor
            }
% for i in range(tile):
            ${system.surface(f, i)}
% endfor
        }
% endfor
% for i in range(tile):
% if padded:
        if (tile * ${tile} + ${i} < NP) {
% else:
        {
% endif
            const int n = tile * ${tile} + ${i};
% for k, name in enumerate(fields):
            const real_v old_${name} = fields[HERE(${k} * NP + n)];
% endfor
            ${system.material(i)}
% for k, name in enumerate(fields):
            real_v step_${name} = dt * rate_${name}${i};
            if (a != 0) step_${name} += a * residual[HERE(${k} * NP + n)];
            if (keep_residual) residual[HERE(${k} * NP + n)] = step_${name};
            const real_v new_${name} = old_${name} + b * step_${name};
            fields[HERE(${k} * NP + n)] = new_${name};
% endfor
            ${published.node("new_traces")}
        }
% endfor
    }
}
