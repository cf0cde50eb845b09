"""Is it right?  Everything that has an exact answer, against that answer."""

from wavelab.simulation.verification.case import Case, Reading, Row, Where
from wavelab.simulation.verification.cases import CASES, case_of
from wavelab.simulation.verification.checking import check
from wavelab.simulation.verification.convergence import (
    Convergence,
    Measurement,
    converge,
    converging,
)

__all__ = ["CASES", "Case", "Convergence", "Measurement", "Reading", "Row", "Where", "check"]
__all__ += ["case_of", "converge", "converging"]
