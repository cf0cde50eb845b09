"""Processes or threads that compute together, and what they say to each other."""
