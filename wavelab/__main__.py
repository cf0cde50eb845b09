"""``python -m wavelab``."""

import sys

from wavelab.cli import main

if __name__ == "__main__":  # children that mesh import this module too
    sys.exit(main())
