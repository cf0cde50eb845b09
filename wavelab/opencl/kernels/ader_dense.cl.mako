## One step of local time stepping of elements with dense matrices; the names are those of ader.cl.mako,
## the matrices those of dense.cl.mako.  ``numbers`` lists the elements of a launch, all of one level.
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="dense" file="maxwell_tm_dense.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="items" file="dense_items.cl.mako"/>
<%namespace name="parts" file="ader_parts.cl.mako"/>
<%include file="${layout}.cl.mako"/>
<%include file="dense_items.cl.mako"/>
<%
    fields = system.module.FIELDS
    remembers = bool(rates)
    driven_fields = [name for name in fields if name in rates]
    n_memory, n_coefficients = len(local_memory), len(local_coefficients)
%>
${parts.functions("real")}
#define AT_NODE(buffer, entries, i) buffer[((listed[DENSE_ELEMENT] * (entries) + (i)) * NP + n) * LANES + k % LANES]

<%def name="place()">
    const int k = numbers[DENSE_ELEMENT], own = k - first;
    ${items.matrices()}
    ${dense.element()}
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

## At face node s: where the neighbour's value is in a buffer that has a second one for slower ones.
<%def name="across()">
            const int face = s / NFP, at_face = (k / LANES * 3 + face) * LANES + k % LANES;
            const int there = outside[at_face], to = relation[at_face];
            const int wall = there == (k / LANES * 3 * NFP + face * NFP + NFP - 1) * LANES + k % LANES;
            const int from = there - s % NFP * LANES + (to > 0 && odd ? second * WIDTH : 0);
</%def>

## At face node s, after across().
<%def name="face()">
            const real reflection = face == 0 ? ${constants.at("k", "reflection_0")} :
                face == 1 ? ${constants.at("k", "reflection_1")} : ${constants.at("k", "reflection_2")};
            const real outside_impedance = face == 0 ? ${constants.at("k", "outside_impedance_0")} :
                face == 1 ? ${constants.at("k", "outside_impedance_1")} : ${constants.at("k", "outside_impedance_2")};
            const real weight = 1 / (impedance + outside_impedance);
</%def>

<%def name="leave()">
    ${items.tangential()}
    EACH_OF(s, 3 * NFP) {
        TRACE(leaving, k, s, 0) = ez[face_nodes[s]] - impedance * h_here[s];
    }
</%def>

<%def name="predict(driven)">
DENSE_KERNEL
void ${"predict_driven" if driven else "predict"}(
    global const int *restrict numbers, global real *restrict fields, global real *restrict own_waves,
    global real *restrict outgoing, ${constants.arguments("real")},
    global const int *restrict outside, global const int *restrict relation,
    global const real *restrict matrices, global real *restrict leaving,
% if driven:
    ${parts.source_buffers("const real")},
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
% if n_memory:
    TOGETHER real term_memory[${n_memory} * NP], change_memory[${n_memory} * NP];
% endif
    TOGETHER real flux[3 * NFP];
    ${load()}
    EACH_OF(n, NP) {
% for name in fields:
        change_${name}[n] = whole_${name}[n] = first_${name}[n] = middle_${name}[n] = 0;
% endfor
% for i in range(n_memory):
        term_memory[${i} * NP + n] = AT_NODE(memory, ${n_memory}, ${i});
        change_memory[${i} * NP + n] = 0;
% endfor
    }
    // What the jumps do at the begin of the step.
    ${items.tangential()}
    EACH_OF(s, 3 * NFP) {
            ${across()}
            ${face()}
            const real inside_e = ez[face_nodes[s]], inside_h = h_here[s];
            const real incoming = wall ? reflection * (inside_e - impedance * inside_h) : leaving[from];
            flux[s] = weight * (inside_e + outside_impedance * inside_h - incoming);
    }
    MEET;
    {
        ${items.rates()}
        ${items.add_surface("flux", "flux")}
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
            real found[${len(driven_fields) + n_memory}];
            ${parts.call([f"{name}[n]" for name in fields], "term_memory[{} * NP + n]", "AT_NODE(at_nodes, %d, {})" % n_coefficients)}
% for i, name in enumerate(driven_fields):
            extra_${name}[n] = found[${i}];
% endfor
% for i in range(n_memory):
            term_memory[${i} * NP + n] = share * found[${len(driven_fields) + i}];
            change_memory[${i} * NP + n] += term_memory[${i} * NP + n];
% endfor
% endif
        }
        ${items.rates()}
        ${items.add_volume()}
        MEET;
        EACH_OF(n, NP) {
            ${dense.material()}
% for f, name in enumerate(fields):
            real all_${name} = RATE(${name});
% if name in driven_fields:
            all_${name} += extra_${name}[n];
% endif
% if driven:
            if (j < ${n_points}) {
% for point in range(n_points):
                all_${name} += to_coefficients[j * ${n_points} + ${point}] * FIELD(sources${point}, k, ${f}, n);
% endfor
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
            ${across()}
            ${face()}
            const int m = face_nodes[s];
            const real whole = whole_ez[m] - impedance * whole_h[s];
            const real early = first_ez[m] - impedance * first_h[s];
            TRACE(own_waves, k, s, 0) = whole_ez[m] + outside_impedance * whole_h[s] - (wall ? reflection * whole : 0);
            const real summed = to > 0 && odd ? TRACE(outgoing, k, s, 0) + whole : whole;
            TRACE(outgoing, k, s, 0) = to < 0 ? early : summed;
            TRACE((outgoing + second * WIDTH), k, s, 0) = whole - early;
            TRACE((leaving + second * WIDTH), k, s, 0) = middle_ez[m] - impedance * middle_h[s];
    }
    EACH_OF(n, NP) {
% for f, name in enumerate(fields):
        FIELD(fields, k, ${f}, n) += change_${name}[n];
% endfor
% for i in range(n_memory):
        AT_NODE(memory, ${n_memory}, ${i}) += change_memory[${i} * NP + n];
% endfor
    }
}
</%def>

${predict(False)}
${predict(True)}

DENSE_KERNEL
void correct(
    global const int *restrict numbers, global real *restrict fields,
    global const real *restrict own_waves, global const real *restrict outgoing,
    ${constants.arguments("real")}, global const int *restrict outside,
    global const int *restrict relation, global const real *restrict matrices,
    global real *restrict leaving, const int first, const int second, const int odd)
{
    ${place()}
    TOGETHER real flux[3 * NFP];
    EACH_OF(s, 3 * NFP) {
            ${across()}
            ${face()}
            flux[s] = weight * (TRACE(own_waves, k, s, 0) - (wall ? 0 : outgoing[from]));
    }
    MEET;
    ${items.rates()}
    ${items.add_surface("flux", "flux")}
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
