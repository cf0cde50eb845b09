"""What is nobody's business: whose machine it is."""

from __future__ import annotations

import getpass
import os
import platform
import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

_SHORTEST = 2


def scrubbed(value: Any) -> Any:
    """The same without the names of the user, the home directory and the machine.

    Parameters
    ----------
    value : what JSON can hold; keys of dictionaries are ours and stay.
    """
    if isinstance(value, str):
        return _scrubbed(value)
    if isinstance(value, dict):
        return {key: scrubbed(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [scrubbed(entry) for entry in value]
    return value


def _scrubbed(text: str) -> str:
    for home in sorted(_homes(), key=len, reverse=True):
        text = re.sub(rf"{re.escape(home)}(?![\w-])", "~", text)
    for names, instead in ((_users(), "(user)"), (_hosts(), "(host)")):
        for name in sorted(names, key=len, reverse=True):
            text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", instead, text, flags=re.I)
    return text


def _homes() -> set[str]:
    homes = {os.path.expanduser("~")}
    with suppress(OSError, RuntimeError):
        homes.add(str(Path.home().resolve()))
    return {home for home in homes if len(home) > 1 and home != "~"}


def _users() -> set[str]:
    users = {os.environ.get(name, "") for name in ("USER", "LOGNAME", "USERNAME", "SUDO_USER")}
    with suppress(Exception):  # nobody's number has a name in some containers
        users.add(getpass.getuser())
    users |= {Path(home).name for home in _homes()}
    return {user for user in users if len(user) >= _SHORTEST}


def _hosts() -> set[str]:
    hosts = {platform.node(), os.environ.get("HOSTNAME", "")}
    with suppress(OSError):
        hosts.add(socket.gethostname())
    hosts |= {host.partition(".")[0] for host in hosts}
    return {host for host in hosts if len(host) >= _SHORTEST and host != "localhost"}
