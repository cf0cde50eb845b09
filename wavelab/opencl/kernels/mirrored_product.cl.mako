## Products with matrices halved by the symmetry of the reference triangle (symmetry.py), their entries
## as literals.

## The sums and differences that a product with a mirrored matrix is made of; ``value`` names the
## number at an index; ``at`` are the nodes where the product is wanted.
<%def name="product(matrix, value, at)">
<%
    even, odd = ("total", "difference") if matrix.even_to_sum else ("difference", "total")
    suffix = "f" if real == "float" else ""
    pairs = [(p, i, j) for p, (i, j) in enumerate(matrix.rows) if i in at or j in at]
%>
% for p, i, j in pairs:
        real total${p} = 0${f", difference{p} = 0" if i != j else ""};
% endfor
% for c, (m, mirror) in enumerate(matrix.columns):
        {
            const real here = ${value(m)};
% if m != mirror:
            const real there = ${value(mirror)};
            const real even = here + there, odd = here - there;
% else:
            const real even = here;
% endif
% for p, _, _ in pairs:
% for target, source, entry in ((even, "even", matrix.from_even[p, c]), (odd, "odd", matrix.from_odd[p, c])):
% if entry:
            ${target}${p} = fma((${repr(float(entry))}${suffix}), ${source}, ${target}${p});
% endif
% endfor
% endfor
        }
% endfor
</%def>

## Entry k of the product, from sums and differences p of the pair of nodes i and j.
<%def name="result(p, i, j, k)">\
${f"total{p}" if i == j else f"(total{p} {'+' if k == i else '-'} difference{p})"}\
</%def>
