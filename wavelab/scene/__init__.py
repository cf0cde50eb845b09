"""Scenes as plain frozen data, the formulas typed in them, and the TOML files they are kept in."""
