"""The parts of the window around the canvas.  Each shows values and emits wishes; none decides."""
