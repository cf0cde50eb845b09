"""What leaves the program: pictures, movies, probe traces and snapshots.

Every writer puts its file under a temporary name beside the target and renames it when it is
whole, so a reader finds the complete file or none.
"""
