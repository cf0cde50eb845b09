"""The picture of the field and everything drawn over it."""
