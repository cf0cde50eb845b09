"""Where the bundle begins: as the command ``wavelab``."""

import sys

from wavelab.__main__ import start

sys.exit(start())
