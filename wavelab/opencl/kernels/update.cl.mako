## The Runge-Kutta update of node n of a block: residual = a residual + dt rate, fields += b residual.
<%namespace name="system" file="maxwell_tm.cl.mako"/>
## From the sums in rate_{field}{i}; leaves the new fields in new_{field}.
<%def name="node(i)">
% for k, name in enumerate(system.module.FIELDS):
            const real_v old_${name} = fields[HERE(${k} * NP + n)];
% endfor
            ${system.material(i)}
% for k, name in enumerate(system.module.FIELDS):
            real_v step_${name} = dt * rate_${name}${i};
            if (a != 0) step_${name} += a * residual[HERE(${k} * NP + n)];
            if (keep_residual) residual[HERE(${k} * NP + n)] = step_${name};
            const real_v new_${name} = old_${name} + b * step_${name};
            fields[HERE(${k} * NP + n)] = new_${name};
% endfor
</%def>
