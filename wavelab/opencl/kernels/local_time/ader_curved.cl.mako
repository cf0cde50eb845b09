## One step of local time stepping of curved elements; the names are those of ader.cl.mako,
## the matrices those of curved.cl.mako.  ``numbers`` lists the elements of a launch, all of one level, and
## own_traces has the integrals [element][E, H][face node] over a step.
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="curved" file="maxwell_tm_curved.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="items" file="curved_items.cl.mako"/>
<%namespace name="parts" file="ader_parts.cl.mako"/>
<%include file="${layout}.cl.mako"/>
<%include file="curved_items.cl.mako"/>
<%
    fields = system.module.FIELDS
    remembers = bool(rates)
    driven_fields = [name for name in fields if name in rates]
    n_auxiliary, n_coefficients = len(auxiliary_variables), len(auxiliary_coefficients)
    traces, fluxes = system.module.TRACES[rank_one], system.module.FLUXES[rank_one]
    lifted = (f"flux_{fluxes[0]}", f"flux_{fluxes[-1]}")
%>
${parts.functions("real")}
#define AT_NODE(buffer, entries, i) buffer[((listed[DENSE_ELEMENT] * (entries) + (i)) * NP + n) * LANES + k % LANES]

<%def name="place()">
    const int k = numbers[DENSE_ELEMENT], own = k - first;
    ${items.matrices()}
    ${curved.element()}
% for name in fields:
    TOGETHER real ${name}[NP];
% endfor
    TOGETHER real h_here[3 * NFP];
</%def>

<%def name="load()">
    EACH_OF(n, NP) {
% for f, name in enumerate(fields):
        ${name}[n] = FIELD(fields, k, ${f}, n);
% endfor
    }
    MEET;
</%def>

## At face node s: where the neighbour's traces are in a buffer that has a second one for slower ones.
<%def name="across()">
            const int face = s / NFP, at_face = (k / LANES * 3 + face) * LANES + k % LANES;
            const int there = outside[at_face], to = relation[at_face];
            const int wall = there == (k / LANES * 3 * NFP + face * NFP + NFP - 1) * (N_TRACES * LANES) + k % LANES;
            const int from = there - s % NFP * (N_TRACES * LANES) + (to > 0 && odd ? second * WIDTH : 0);
</%def>

## Fluxes at face node s from inside_e and inside_h and what is across in a buffer.
<%def name="flow(buffer)">
% for c, name in enumerate(traces):
            const real across_${name} = ${buffer}[from + ${c} * LANES];
% endfor
            ${curved.flux()}
% for name in fluxes:
            flux_${name}[s] = ${name};
% endfor
</%def>

<%def name="leave()">
    ${items.tangential()}
    EACH_OF(s, 3 * NFP) {
            const real inside_e = ez[face_nodes[s]], inside_h = h_here[s];
            ${curved.outgoing()}
% for c, name in enumerate(traces):
            TRACE(leaving, k, s, ${c}) = out_${name};
% endfor
    }
</%def>

<%def name="predict(driven)">
DENSE_KERNEL
void ${"predict_driven" if driven else "predict"}(
    global const int *restrict numbers, global real *restrict fields, global real *restrict own_traces,
    global real *restrict outgoing, ${constants.arguments("real")},
    global const int *restrict outside, global const int *restrict relation,
    global const real *restrict matrices, global real *restrict leaving,
% if driven:
    ${parts.source_buffers("const real")}, global const int *restrict held,
% endif
% if remembers:
    global const int *restrict listed, global const real *restrict at_nodes, global real *restrict memory,
% endif
    const int first, const int second, const real dt, const int odd)
{
    ${place()}
% for name in fields:
    TOGETHER real change_${name}[NP], whole_${name}[NP], first_${name}[NP], middle_${name}[NP], jump_${name}[NP];
% endfor
% for name in driven_fields:
    TOGETHER real extra_${name}[NP];
% endfor
% if n_auxiliary:
    TOGETHER real term_memory[${n_auxiliary} * NP], change_memory[${n_auxiliary} * NP];
% endif
    TOGETHER real ${", ".join(f"flux_{name}[3 * NFP]" for name in fluxes)};
    ${load()}
    EACH_OF(n, NP) {
% for name in fields:
        change_${name}[n] = whole_${name}[n] = first_${name}[n] = middle_${name}[n] = 0;
% endfor
% for i in range(n_auxiliary):
        term_memory[${i} * NP + n] = AT_NODE(memory, ${n_auxiliary}, ${i});
        change_memory[${i} * NP + n] = 0;
% endfor
    }
    // What the jumps do at the begin of the step.
    ${items.tangential()}
    EACH_OF(s, 3 * NFP) {
            ${across()}
            const real inside_e = ez[face_nodes[s]], inside_h = h_here[s];
            ${flow("leaving")}
    }
    MEET;
    {
        ${items.rates()}
        ${items.add_surface(*lifted)}
        EACH_OF(n, NP) {
            jump_hx[n] = inverse_mu * RATE(hx);
            jump_hy[n] = inverse_mu * RATE(hy);
            jump_ez[n] = inverse_epsilon * RATE(ez);
        }
    }
    real half_power = 1;
    for (int j = 0; j < ${n_terms}; ++j) {
        const real share = dt / (j + 1);
        half_power *= (real)0.5;
        EACH_OF(n, NP) {
% for name in fields:
            middle_${name}[n] += 2 * half_power * ${name}[n];
            whole_${name}[n] += share * ${name}[n];
            first_${name}[n] += half_power * share * ${name}[n];
% endfor
% if remembers:
            real found[${len(driven_fields) + n_auxiliary}];
            ${parts.call([f"{name}[n]" for name in fields], "term_memory[{} * NP + n]", "AT_NODE(at_nodes, %d, {})" % n_coefficients)}
% for i, name in enumerate(driven_fields):
            extra_${name}[n] = found[${i}];
% endfor
% for i in range(n_auxiliary):
            term_memory[${i} * NP + n] = share * found[${len(driven_fields) + i}];
            change_memory[${i} * NP + n] += term_memory[${i} * NP + n];
% endfor
% endif
        }
        ${items.rates()}
        ${items.add_volume()}
        MEET;
        EACH_OF(n, NP) {
            ${curved.material()}
% for f, name in enumerate(fields):
            real all_${name} = RATE(${name});
% if name in driven_fields:
            all_${name} += extra_${name}[n];
% endif
% if driven:
            if (j < ${n_points}) {
                real source = 0;
% for point in range(n_points):
                source += to_coefficients[j * ${n_points} + ${point}] * FIELD(sources${point}, k, ${f}, n);
% endfor
                if (j > 0 && held[k]) change_${name}[n] += share * source;
                else all_${name} += source;
            }
% endif
            ${name}[n] = share * all_${name};
            change_${name}[n] += ${name}[n];
            if (j == 0) ${name}[n] += dt * jump_${name}[n];
% endfor
        }
        MEET;
    }
    TOGETHER real whole_h[3 * NFP], first_h[3 * NFP], middle_h[3 * NFP];
% for moment in ("whole", "first", "middle"):
    ${items.tangential(f"{moment}_hx", f"{moment}_hy", f"{moment}_h")}
% endfor
    EACH_OF(s, 3 * NFP) {
            const int at_face = (k / LANES * 3 + s / NFP) * LANES + k % LANES, to = relation[at_face];
            const int m = face_nodes[s];
% for moment in ("whole", "first", "middle"):
% if rank_one:
            const real ${moment}_wave = ${moment}_ez[m] - impedance * ${moment}_h[s];
% else:
            const real ${moment}_e = ${moment}_ez[m];
% endif
% endfor
% for c, name in enumerate(traces):
<% of = "{}_h[s]" if name == "h" else "{}_" + name %>\
            const real summed_${name} = to > 0 && odd ? TRACE(outgoing, k, s, ${c}) + ${of.format("whole")} : ${of.format("whole")};
            TRACE(outgoing, k, s, ${c}) = to < 0 ? ${of.format("first")} : summed_${name};
            TRACE((outgoing + second * WIDTH), k, s, ${c}) = ${of.format("whole")} - ${of.format("first")};
            TRACE((leaving + second * WIDTH), k, s, ${c}) = ${of.format("middle")};
% endfor
            own_traces[(own * 2) * 3 * NFP + s] = whole_ez[m];
            own_traces[(own * 2 + 1) * 3 * NFP + s] = whole_h[s];
    }
    EACH_OF(n, NP) {
% for f, name in enumerate(fields):
        FIELD(fields, k, ${f}, n) += change_${name}[n];
% endfor
% for i in range(n_auxiliary):
        AT_NODE(memory, ${n_auxiliary}, ${i}) += change_memory[${i} * NP + n];
% endfor
    }
}
</%def>

${predict(False)}
${predict(True)}

DENSE_KERNEL
void correct(
    global const int *restrict numbers, global real *restrict fields,
    global const real *restrict own_traces, global const real *restrict outgoing,
    ${constants.arguments("real")}, global const int *restrict outside,
    global const int *restrict relation, global const real *restrict matrices,
    global real *restrict leaving, const int first, const int second, const int odd)
{
    ${place()}
    TOGETHER real ${", ".join(f"flux_{name}[3 * NFP]" for name in fluxes)};
    EACH_OF(s, 3 * NFP) {
            ${across()}
            const real inside_e = own_traces[(own * 2) * 3 * NFP + s];
            const real inside_h = own_traces[(own * 2 + 1) * 3 * NFP + s];
            ${flow("outgoing")}
    }
    MEET;
    ${items.rates()}
    ${items.add_surface(*lifted)}
    EACH_OF(n, NP) {
        hx[n] = FIELD(fields, k, 0, n) + inverse_mu * RATE(hx);
        hy[n] = FIELD(fields, k, 1, n) + inverse_mu * RATE(hy);
        ez[n] = FIELD(fields, k, 2, n) + inverse_epsilon * RATE(ez);
% for f, name in enumerate(fields):
        FIELD(fields, k, ${f}, n) = ${name}[n];
% endfor
    }
    MEET;
    ${leave()}
}

// What leaves now, after the fields were changed from outside.
DENSE_KERNEL
void leave(
    global const int *restrict numbers, global const real *restrict fields,
    ${constants.arguments("real")}, global const real *restrict matrices,
    global real *restrict leaving, const int first)
{
    ${place()}
    ${load()}
    ${leave()}
}
