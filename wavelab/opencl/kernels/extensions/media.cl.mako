## Media that are not constant on an element (wavelab/physics/operator/media.py): one quantity on some elements.
##
## They are computed by whole blocks of the layout in which one of them lies; a lane that is not listed
## keeps its fields.  Slot i of a listed block is a lane of it:
##   densities, values   [listed block][entry][lane], as the layout keeps elements
##   in_medium           [listed block][lane], -1 for lanes that are listed, 0 for others
##
##   of          fields that the quantity belongs to: ("ez",) or ("hx", "hy"); none for a conductivity.  Of
##               elastic waves velocities, sxy and two parts of the stress, "mean" and "differ": half the sum
##               and half the difference of sxx and syy
##   damped      fields that a conductivity damps, likewise
##   n_points    of the quadrature
##   tile        rows of a matrix computed together
##   curved      whether each element has a matrix of its own for the way back
##   uniform     the value is the same for all elements and comes as the last argument
##   bright      whether it is a Kerr medium: E + kappa E^3 = D over the reference, with the numbers c of
##               the root c[1] sinh(asinh(c[0] D) / 3), and kappa = c[2]
##   value       expression printed from the checked tree of a formula of x, y and t with the numbers c;
##               None for values that are constant in time and come in a buffer
##   number      type of its variables x and y
##   shares      whether the work items of a block share its nodes and points, as in the stage; otherwise one
##               does all of an element
<%namespace name="lanes" file="lanes.cl.mako"/>
<%namespace name="system" file="${context['equations']}.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="published" file="publish.cl.mako"/>
<%
    fields = system.module.FIELDS
    point_tiles, node_tiles = -(-n_points // tile), -(-nodes_per_element // tile)
    inverse = "inverse_epsilon" if damped == ("ez",) else "inverse_mu"
    # Loops and arrays of an element, of one work item or of those that share it.
    each = lambda i, n: f"EACH({i}, 0, {n})" if shares else f"for (int {i} = 0; {i} < {n}; ++{i})"
    kept = lambda i: f"HERE({i})" if shares else i
    shared, times, meet = ("local ", " * BLOCK_STRIDE", "SYNC;") if shares else ("", "", "")
    field_at = lambda n: lambda f: f"FIELD(fields, k, {f}, {n})"
    residual_at = lambda f: f"residual[NODE({f}, n)]"
    #: Of syy in parts of the stress.
    signs = {"mean": "+", "differ": "-"}
    law = "dEz/dt -= P[sigma Ez] / epsilon, with Ez" if damped == ("ez",) else "dH/dt -= P[sigma H] / mu, with H"
%>
<%include file="${layout}.cl.mako"/>
#define NQ ${n_points}
#define N_ENTRIES ${0 if uniform or bright else 2 * n_points if value is not None else n_points}
% if publishes:
#define NODE(f, n) HERE((f) * NP + (n))
% else:
typedef real real_v;
typedef int int_v;
#define LANES 1
#define WIDTH 1
#define BLOCK_STRIDE 1
#define HERE(i) (i)
#define NODE(f, n) ((f) * PADDED + (n))
#define FIELD_BLOCK (N_FIELDS * PADDED)
#define CHOOSE(c, yes, no) ((c) ? (yes) : (no))
% endif

% if value is not None:
<%include file="functions.cl.mako"/>
${number} medium(const ${number} x, const ${number} y, const real t, global const real *restrict c)
{
    return ${value};
}
% endif

## A field of ``of`` where ``value`` gives those of the solver.
<%def name="part(name, value)">\
% if name in signs:
((${value(fields.index("sxx"))} ${signs[name]} ${value(fields.index("syy"))}) / 2)\
% else:
${value(fields.index(name))}\
% endif
</%def>\
<%def name="arguments()">\
global real_v *fields, global real_v *residual, ${"global real_v *traces," if publishes else ""}
    ${constants.arguments("real_v")},
    global const int *restrict blocks, const int n_blocks, global const int_v *restrict in_medium,
    global const real *restrict to_points, global const ${"real_v" if curved else "real"} *restrict to_nodes,
    global const real *restrict values, global const real *restrict references,
    global const real *restrict c\
</%def>\
## Moves to this block.
<%def name="place()">
% if publishes:
    const int listed = get_group_id(0);
% if config.alone:
    const int item = 0;
% else:
    const int item = get_local_id(0) % BLOCK_STRIDE;
% endif
% if shares:
    const int row = get_local_id(0) / BLOCK_STRIDE;
% endif
% if config.width > 1:
    const int_v lane = item * WIDTH + (int_v)(${", ".join(map(str, range(config.width)))});
% else:
    const int lane = item;
% endif
% else:
    const int listed = get_global_id(0), item = 0;
    if (listed >= n_blocks) return;
% endif
    const int block = blocks[listed];
    fields += (size_t)block * FIELD_BLOCK;
    residual += (size_t)block * FIELD_BLOCK;
    ${constants.place() if publishes else "coefficients += block * N_COEFFICIENTS;"}
    values += (size_t)listed * N_ENTRIES * LANES + item * WIDTH;
    references += listed * LANES + item * WIDTH;
% if curved:
    to_nodes += (size_t)listed * ${node_tiles * n_points * tile} * BLOCK_STRIDE;
% endif
    const int_v mask = in_medium[listed * BLOCK_STRIDE + item];
% if publishes:
    traces += block * TRACE_BLOCK;
    ${system.metric()}
    ${system.element()}
% endif
</%def>\

<%def name="arrays()">
    ${shared}real_v nodal[NP${times}]${"" if shares else ", result[NP]"};
% if not uniform:
    ${shared}real_v at[${(n_points if shares else point_tiles * tile)}${times}];
% endif
</%def>\
## What the value at point q, in ``u``, becomes there.
<%def name="multiply(u)">
% if bright:
        ${u} = c[1] * sinh(asinh(c[0] * ${u}) / (real)3);
% elif value is None:
        ${u} *= *(global const real_v *)(values + q * LANES);
% else:
% if number == "real_v":
        const real_v here = medium(
            *(global const real_v *)(values + q * LANES),
            *(global const real_v *)(values + (NQ + q) * LANES), last, c);
% else:
        real_v here;
        for (int i = 0; i < WIDTH; ++i)
            ((real *)&here)[i] = medium(
                values[q * LANES + i], values[(NQ + q) * LANES + i], last, c);
% endif
        ${u} *= ${"*(global const real_v *)references / here" if of else "here"};
% endif
</%def>\

## From nodal[] to the points, and multiplied there.  A compiler that unrolled the loops over rows as well
## would run out of registers.
<%def name="to_the_points()">
% if uniform:
% elif shares:
    SYNC;
    EACH(q, 0, NQ) {
        global const real *column = to_points + q / ${tile} * NP * ${tile} + q % ${tile};
        real_v sum = 0;
#pragma unroll 4
        for (int n = 0; n < NP; ++n) sum += column[n * ${tile}] * nodal[HERE(n)];
        ${multiply("sum")}
        at[HERE(q)] = sum;
    }
    SYNC;
% else:
#pragma unroll 1
    for (int rows = 0; rows < ${point_tiles}; ++rows) {
        real_v ${", ".join(f"sum{i} = 0" for i in range(tile))};
        global const real *column = to_points + rows * NP * ${tile};
        for (int n = 0; n < NP; ++n, column += ${tile}) {
            const real_v u = nodal[n];
% for i in range(tile):
            sum${i} += column[${i}] * u;
% endfor
        }
% for i in range(tile):
        at[rows * ${tile} + ${i}] = sum${i};
% endfor
    }
    for (int q = 0; q < NQ; ++q) {
        ${multiply("at[q]")}
    }
% endif
</%def>\
## Back from the points, to result[NP] where an item does all of an element.
<%def name="to_the_nodes()">
% if uniform and not shares:
    for (int n = 0; n < NP; ++n) result[n] = last * nodal[n];
% elif not shares:
#pragma unroll 1
    for (int rows = 0; rows < ${node_tiles}; ++rows) {
        real_v ${", ".join(f"sum{i} = 0" for i in range(tile))};
% if curved:
        global const real_v *column = to_nodes + rows * NQ * ${tile} * BLOCK_STRIDE;
% else:
        global const real *column = to_nodes + rows * NQ * ${tile};
% endif
        for (int q = 0; q < NQ; ++q, column += ${tile}${" * BLOCK_STRIDE" if curved else ""}) {
            const real_v u = at[q];
% for i in range(tile):
            sum${i} += column[${f"HERE({i})" if curved else i}] * u;
% endfor
        }
% for i in range(tile):
        if (rows * ${tile} + ${i} < NP) result[rows * ${tile} + ${i}] = sum${i};
% endfor
    }
% endif
</%def>\
## What came back at node n.
<%def name="at_node()">
% if not shares:
        const real_v found = result[n];
% elif uniform:
        const real_v found = last * nodal[HERE(n)];
% else:
<% stride = " * BLOCK_STRIDE" if curved else "" %>\
        global const real *column = to_nodes + (n / ${tile} * NQ * ${tile} + n % ${tile})${stride}${" + item" if curved else ""};
        real_v found = 0;
#pragma unroll 4
        for (int q = 0; q < NQ; ++q) found += column[q * ${tile}${stride}] * at[HERE(q)];
% endif
</%def>\
## The projection of the product of nodal[] with the medium; in an EACH(n), at_node() gives it.
<%def name="project()">
    ${to_the_points()}
    ${to_the_nodes()}
</%def>\

% if not of:
// ${law} from before the stage.
kernel
void conduct(${arguments()}, const real dt, const real b, const real last)
{
    ${place()}
    ${arrays()}
% for f in map(fields.index, damped):
    ${each("n", "NP")}
        nodal[${kept("n")}] = fields[NODE(${f}, n)] - b * residual[NODE(${f}, n)];
% if len(damped) > 1:
    {
% endif
    ${project()}
    const real_v factor = -dt * ${constants.here(inverse) if publishes else "coefficients[" + str(coefficients.index(inverse)) + "]"};
    ${each("n", "NP")} {
        ${at_node()}
        const real_v change = CHOOSE(mask, factor * found, (real_v)0);
        residual[NODE(${f}, n)] += change;
        const real_v new_${fields[f]} = fields[NODE(${f}, n)] + b * change;
        fields[NODE(${f}, n)] = new_${fields[f]};
% if publishes and f == fields.index(damped[-1]):
% for other, name in enumerate(fields):
% if other != f:
        const real_v new_${name} = fields[NODE(${other}, n)];
% endif
% endfor
        ${published.node("traces")}
% endif
    }
% if len(damped) > 1:
    }
% endif
% endfor
}
% else:
// What the stage did to the constant medium it does to the flux densities, kept in parts of the
// reference; the fields follow from those.
kernel void follow(${arguments()}, global real_v *densities, const real b, const real last)
{
    ${place()}
    densities += (size_t)listed * ${len(of)} * NP * BLOCK_STRIDE;
    ${arrays()}
% for entry, name in enumerate(of):
    ${each("n", "NP")} {
        const int place = HERE(${entry} * NP + n);
        const real_v density = densities[place] + b * ${part(name, residual_at)};
        densities[place] = density;
        nodal[${kept("n")}] = density;
    }
    {
        ${project()}
    }
    ${each("n", "NP")} {
        ${at_node()}
% if name in signs:
        const int xx = NODE(${fields.index("sxx")}, n), yy = NODE(${fields.index("syy")}, n);
        const real_v change = CHOOSE(mask, found - (fields[xx] ${signs[name]} fields[yy]) / 2, (real_v)0);
        fields[xx] += change;
        fields[yy] ${signs[name]}= change;
% else:
        const int place = NODE(${fields.index(name)}, n);
        fields[place] = CHOOSE(mask, found, fields[place]);
% endif
    }
% endfor
% if publishes:
    ${each("n", "NP")} {
        if (face_slots[2 * n] < 0) continue;
% for f, name in enumerate(fields):
        const real_v new_${name} = fields[NODE(${f}, n)];
% endfor
        ${published.node("traces")}
    }
% endif
}

// What the energies of a constant medium lack: by how much D or B differ from the reference times the
// field.  A work item per listed element; slots[i] is where it lies among the listed blocks.
<%def name="listed()">
    const int i = get_global_id(0);
    if (i >= n_elements) return;
    const int k = elements[i], slot = slots[i];
</%def>\
<%def name="excess(entry, name, n)">(AT(densities, ${len(of)} * NP, slot, ${entry} * NP + ${n}) - ${part(name, field_at(n))})</%def>\
kernel void add_energy(
    global const real *restrict fields, global const real *restrict densities,
    global const int *restrict elements, global const int *restrict slots, const int n_elements,
    global const real *restrict scales, global const real *restrict mass,
% if bright:
    global const real *restrict weights, global const real *restrict to_points,
    global const real *restrict c,
% endif
    global real *restrict energy)
{
    ${listed()}
    real sum = 0;
% if curved:
    mass += (size_t)i * NP * NP;
% endif
% for entry, name in enumerate(of):
    for (int m = 0; m < NP; ++m) {
        real tested = 0;
        for (int n = 0; n < NP; ++n) tested += mass[m * NP + n] * ${part(name, field_at("n"))};
% if bright:
        sum -= tested * FIELD(fields, k, ${fields.index(name)}, m);
% else:
        sum += tested * ${excess(entry, name, "m")};
% endif
    }
% endfor
% if bright:
% if curved:
    weights += (size_t)i * NQ;
% endif
    for (int q = 0; q < NQ; ++q) {
        real d = 0;
        for (int n = 0; n < NP; ++n)
            d += to_points[((q / ${tile}) * NP + n) * ${tile} + q % ${tile}] * AT(densities, NP, slot, n);
        const real e = c[1] * sinh(asinh(c[0] * d) / (real)3);
        sum += weights[q] * e * e * (1 + (real)1.5 * c[2] * e * e);
    }
% endif
    // The reference and the Jacobian.
    energy[k] += scales[2 * i] * scales[2 * i + 1] / 2 * sum;
}

kernel void add_density(
    global const real *restrict fields, global const real *restrict densities,
    global const int *restrict elements, global const int *restrict slots, const int n_elements,
    global const real *restrict scales,
% if bright:
    global const real *restrict c,
% endif
    global float *restrict shown)
{
    ${listed()}
    for (int n = 0; n < NP; ++n) {
        real sum = 0;
% for entry, name in enumerate(of):
        sum += ${part(name, field_at("n"))} * ${excess(entry, name, "n")};
% endfor
% if bright:
        const real e = FIELD(fields, k, ${fields.index("ez")}, n);
        sum += c[2] / 2 * e * e * e * e;
% endif
        shown[k * NP + n] += (float)(scales[2 * i] / 2 * sum);
    }
}
% endif
