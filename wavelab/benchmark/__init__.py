"""How fast the steppers are: against the limit of the device, and against finite differences."""
