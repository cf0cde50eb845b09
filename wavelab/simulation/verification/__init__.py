"""Is it right?  Everything that has an exact answer, against that answer."""

from wavelab.simulation.verification.case import Case, Reading, Row, Where, check
from wavelab.simulation.verification.cases import CASES
from wavelab.simulation.verification.convergence import (
    Convergence,
    Measurement,
    converge,
    converging,
)

__all__ = ["CASES", "Case", "Convergence", "Measurement", "Reading", "Row", "Where", "check"]
__all__ += ["converge", "converging"]
