## Products with matrices halved by the symmetry of the reference triangle (symmetry.py), their entries
## as literals.

## The sums and differences that a product with a mirrored matrix is made of; ``value`` names the
## number at an index; ``at`` are the nodes where the product is wanted.  With ``split``, value(m) of
## a pair of columns is their even part, and that of the mirror image is the odd one.
<%def name="product(matrix, value, at, split=False)">
<%
    even, odd = ("total", "difference") if matrix.even_to_sum else ("difference", "total")
    pairs = [(p, i, j) for p, (i, j) in enumerate(matrix.rows) if i in at or j in at]
%>
% for p, i, j in pairs:
        real total${p} = 0${f", difference{p} = 0" if i != j else ""};
% endfor
% for c, (m, mirror) in enumerate(matrix.columns):
        {
% if split or m == mirror:
            const real even = ${value(m)}${f", odd = {value(mirror)}" if m != mirror else ""};
% else:
            const real here = ${value(m)}, there = ${value(mirror)};
            const real even = here + there, odd = here - there;
% endif
            ${column(c, [p for p, _, _ in pairs], (even, "even", matrix.from_even), (odd, "odd", matrix.from_odd))}
        }
% endfor
</%def>

## What column c of halves (sum, number, entries) adds to the sums p.
<%def name="column(c, sums, *halves)">
% for p in sums:
% for target, source, entries in halves:
% if entries[p, c]:
            ${target}${p} = fma((${repr(float(entries[p, c]))}${"f" if real == "float" else ""}), ${source}, ${target}${p});
% endif
% endfor
% endfor
</%def>

## Entry k of the product, from sums and differences p of the pair of nodes i and j.
<%def name="result(p, i, j, k)">\
${f"total{p}" if i == j else f"(total{p} {'+' if k == i else '-'} difference{p})"}\
</%def>

## The product times the factor of each target (field, factor), into the steps of the nodes.
<%def name="add(matrix, at, targets)">
% for p, (i, j) in enumerate(matrix.rows):
% for n in dict.fromkeys((i, j)):
% if n in at:
% for target, factor in targets:
        step_${target}${at.index(n)} = fma(${factor}, ${result(p, i, j, n)}, step_${target}${at.index(n)});
% endfor
% endif
% endfor
% endfor
</%def>
