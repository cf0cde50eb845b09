"""Running an experiment: steppers, the solver thread, headless runs and their checks."""
