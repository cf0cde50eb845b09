"""Numbers as files: the whole field, any state, what monitors measured, tables."""
