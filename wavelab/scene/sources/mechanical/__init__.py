"""Sources of elastic waves: what pushes, presses and slips."""
