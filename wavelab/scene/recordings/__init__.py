"""Files with something that was recorded, and functions of time made of them."""
