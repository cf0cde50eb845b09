"""What must not lose anybody's work, tried again and again: python -m scripts.hostile.NAME --help

docs/robustness.md says what each of them does, and with which result it was last run.
"""
