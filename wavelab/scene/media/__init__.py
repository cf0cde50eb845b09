"""Media by name, and what light sees of them."""
