## A current density given as a formula of x, y and t: ``jz`` is an expression printed from the
## checked tree of the formula, never text of the user.
<%namespace name="system" file="maxwell_tm.cl.mako"/>
<%namespace name="constants" file="constants.cl.mako"/>
<%namespace name="add" file="add.cl.mako"/>
<%include file="${layout}.cl.mako"/>
<%include file="add.cl.mako"/>
// x^n for small n, by squaring; unrolled when n is a constant.
real small_power(const real x, const int n)
{
    real power = 1, square = x;
    for (int rest = abs(n); rest; rest >>= 1) {
        if (rest & 1) power *= square;
        square *= square;
    }
    return n < 0 ? 1 / power : power;
}

% if uses_bessel:
// J_order(x), Bessel's integral by the trapezoidal rule (see wavelab/scene/bessel.py).
real bessel_j(const int order, const real x)
{
    const real size = fabs(x);
    if (!(size <= 1000)) return NAN;
    const int m = (int)ceil((order + size + 30 + 10 * cbrt(size)) / 2);
    real sum = order % 2 ? 0 : 1;
    for (int i = 1; i < m; ++i) {
        const real turns = (real)i / m;
        // The remainder keeps the angle small, and with it the rounding error.
        sum += cos(${"M_PI" if real == "double" else "M_PI_F"} * fmod(order * turns, 2) - x * sinpi(turns));
    }
    return sum / m;
}

% endif
kernel void drive_formula(
    global real *fields, global real *residual, ${add.traces()}
    ${constants.arguments("real")}, global const real *restrict positions,
    const real dt, const real b, const real t)
{
    const int k = get_global_id(0);
    const real inverse_epsilon = ${constants.at("k", "inverse_epsilon")};
    for (int n = 0; n < NP; ++n) {
        const real x = AT(positions, 2 * NP, k, n);
        const real y = AT(positions, 2 * NP, k, NP + n);
        const real rate = -inverse_epsilon * (${jz});
        FIELD(residual, k, ${system.module.FIELDS.index("ez")}, n) += dt * rate;
        add_to_ez(fields, ${add.to_traces()} k, n, b * dt * rate);
    }
}
