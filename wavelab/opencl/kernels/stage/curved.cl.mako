## Elements with arcs among their faces: dense matrices for each (numerics/mesh/curved_elements.py).
##
## A whole stage, as stage.cl.mako makes for the others, or the rates of change alone where the variant
## has an update of its own.  An element is a work item on a processor, which takes ``together`` rows
## of a transposed matrix as a vector, and elsewhere a work group with an item per node.
##   grouped    items of a group, 0 for one item per element
##   together   rows are filled up with zeros to a multiple of it
##
## matrices  [element][matrix][column][row]: diff_x, diff_y, lift, lift_x, lift_y, then, with
##           [matrix][face][column][row], tangent_x and tangent_y
## outside   [element][face]: 3 times the neighbour's number plus the number of its face; -1 at a wall
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="curved" file="maxwell_tm_curved.cl.mako"/>
<%namespace name="equations" file="maxwell_tm_per_node.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="items" file="curved_items.cl.mako"/>
<%
    fields = system.module.FIELDS
    # Without traces, neighbours are asked for their fields.
    traces = system.module.TRACES[rank_one] if publishes else ("e", "h")
%>
<%include file="curved_items.cl.mako"/>
<%def name="place()">
    const int own = DENSE_ELEMENT, k = first + own;
    ${items.matrices()}
    ${curved.element()}
% for name in fields:
    TOGETHER real ${name}[NP];
% endfor
    TOGETHER real h_here[3 * NFP];
</%def>

<%def name="publish()">
    ${items.tangential()}
    EACH_OF(s, 3 * NFP) {
            const real inside_e = ez[face_nodes[s]], inside_h = h_here[s];
            ${curved.outgoing()}
% for c, name in enumerate(traces):
            TRACE(new_traces, k, s, ${c}) = out_${name};
% endfor
    }
</%def>

% if publishes:
DENSE_KERNEL
void publish_dense(
    global const real *restrict fields, global real *restrict new_traces,
    ${constants.arguments("real")}, global const real *restrict matrices, const int first)
{
    ${place()}
    EACH_OF(n, NP) {
% for f, name in enumerate(fields):
        ${name}[n] = FIELD(fields, k, ${f}, n);
% endfor
    }
    MEET;
    ${publish()}
}
% else:
constant int face_nodes[3 * NFP] = {${", ".join(map(str, face_nodes.ravel()))}};
% endif

DENSE_KERNEL
void dense_elements(
    global real *restrict fields,
% if publishes:
    global real *restrict residual, global const real *restrict traces, global real *restrict new_traces,
% else:
    global real *restrict rates,
% endif
    ${constants.arguments("real")}, global const real *restrict matrices,
    global const int *restrict outside,
% if not publishes and turned:
    global const real *restrict turns,
% endif
    const int first, const real upwinding\
% if publishes:
, const real dt, const real a, const real b, const int keep_residual\
% endif
)
{
    ${place()}
    TOGETHER real flux_e[3 * NFP], flux_h[3 * NFP];
    EACH_OF(n, NP) {
% for f, name in enumerate(fields):
        ${name}[n] = FIELD(fields, k, ${f}, n);
% endfor
    }
    MEET;

    ${items.tangential()}
    EACH_OF(s, 3 * NFP) {
            const int face = s / NFP, there = outside[own * 3 + face], wall = there < 0;
            const int next = there / 3, next_face = there % 3;
            const real inside_e = ez[face_nodes[s]], inside_h = h_here[s];
            real ${", ".join(f"across_{name} = 0" for name in traces)};
            if (!wall) {
% if publishes:
% for c, name in enumerate(traces):
                // The neighbour runs through the face the other way.
                across_${name} = TRACE(traces, next, next_face * NFP + NFP - 1 - s % NFP, ${c});
% endfor
% else:
                // The normal is the same but for its sign.
<% node = "face_nodes[next_face * NFP + NFP - 1 - {}]".format %>\
                across_e = FIELD(fields, next, ${fields.index("ez")}, ${node("s % NFP")});
                for (int j = 0; j < NFP; ++j) {
                    const int entry = (face * NFP + j) * FACE_ROW + s % NFP, m = ${node("j")};
                    real outside_hx = FIELD(fields, next, ${fields.index("hx")}, m);
                    real outside_hy = FIELD(fields, next, ${fields.index("hy")}, m);
% if turned:
                    const real cosine = turns[(k * 3 + face) * 2], sine = turns[(k * 3 + face) * 2 + 1];
                    ${equations.turn("cosine", "sine")}
% endif
                    across_h += tangent_y[entry] * outside_hx - tangent_x[entry] * outside_hy;
                }
% endif
            }
            ${curved.flux()}
            flux_e[s] = e;
            flux_h[s] = h;
    }
    MEET;

    ${items.rates()}
    ${items.add_volume()}
    ${items.add_surface("flux_e", "flux_h")}
    EACH_OF(n, NP) {
        ${curved.material()}
% for f, name in enumerate(fields):
% if publishes:
        real step_${name} = dt * RATE(${name});
        if (a != 0) step_${name} += a * FIELD(residual, k, ${f}, n);
        if (keep_residual) FIELD(residual, k, ${f}, n) = step_${name};
        RATE(${name}) = ${name}[n] + b * step_${name};
        FIELD(fields, k, ${f}, n) = RATE(${name});
% else:
        FIELD(rates, k, ${f}, n) = RATE(${name});
% endif
% endfor
    }
% if publishes:
    MEET;
    EACH_OF(n, NP) {
% for name in fields:
        ${name}[n] = RATE(${name});
% endfor
    }
    MEET;
    ${publish()}
% endif
}

<%include file="curved_energy.cl.mako"/>
