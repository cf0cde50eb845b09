## What expressions printed from formulas call.
##   uses_bessel   whether one of them calls bessel_j
##   number        type of their variables: real, or real_v where they suit vectors; Bessel functions
##                 of those are left to who calls them
// x^n for small n, by squaring; unrolled when n is a constant.
${number} small_power(const ${number} x, const int n)
{
    ${number} power = 1, square = x;
    for (int rest = abs(n); rest; rest >>= 1) {
        if (rest & 1) power *= square;
        square *= square;
    }
    return n < 0 ? 1 / power : power;
}

% if uses_bessel:
// J_order(x), Bessel's integral by the trapezoidal rule (see wavelab/scene/formulas/bessel.py).
real bessel_j${"" if number == "real" else "_of_one"}(const int order, const real x)
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
