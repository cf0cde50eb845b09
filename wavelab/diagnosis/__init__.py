"""What there is to know of a machine on which something goes wrong, on one page to be pasted.

It is asked for where things are broken, so nothing here needs more than Python itself: what could
fail, hang or crash is asked in a child process (``asked``), and a package that is missing is told.
"""
