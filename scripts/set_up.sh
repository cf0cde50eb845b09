#!/usr/bin/env bash
# Usage: set_up.sh DIRECTORY run|test|bundle
#
# Makes the virtual environment DIRECTORY and installs wavelab in it, with the versions of
# constraints.txt.  Run again, it brings an existing environment up to date.
set -euo pipefail

directory=$1
purpose=$2
readonly oldest='(3, 11)' newest='(3, 13)'  # for which constraints.txt holds

fail() {
    printf '\n' >&2
    printf '%s\n' "$@" >&2
    exit 1
}

is_new_enough() {
    "$1" -c "import sys; sys.exit(sys.version_info < $oldest)" 2>/dev/null
}

is_vouched_for() {
    "$1" -c "import sys; sys.exit(sys.version_info[:2] > $newest)" 2>/dev/null
}

find_python() {
    local candidate
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        # A newer one may do, but only if it is asked for.
        if is_new_enough "$candidate" && { [ -n "${PYTHON:-}" ] || is_vouched_for "$candidate"; }
        then
            printf '%s\n' "$candidate"
            return
        fi
    done
    fail "wavelab needs Python 3.11, 3.12 or 3.13, and found none${PYTHON:+ called $PYTHON}." \
        "Install it (Debian, Ubuntu: apt-get install python3 python3-venv), or name it:" \
        "    make $purpose PYTHON=/path/to/python3.12"
}

# Debian's Python comes without the part that makes environments.
install_venv_package() {
    local package become=()
    package=$("$1" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if [ "$(id -u)" -ne 0 ]; then
        become=(sudo -n)
    fi
    if command -v apt-get >/dev/null && "${become[@]}" true 2>/dev/null; then
        echo "Installing $package ..."
        "${become[@]}" apt-get update
        "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "$package" && return
    fi
    fail "$1 cannot make virtual environments.  Install the missing package, then try again:" \
        "    sudo apt-get install $package"
}

if ! is_new_enough "$directory/bin/python" || ! "$directory/bin/python" -m pip --version >/dev/null
then
    python=$(find_python)
    "$python" -c 'import ensurepip, venv' 2>/dev/null || install_venv_package "$python"
    "$python" -m venv --clear "$directory"
fi

install=("$directory/bin/python" -m pip install --disable-pip-version-check -c constraints.txt)
# The build back end first and without isolation, so that constraints.txt holds for it as well.
"${install[@]}" --quiet hatchling editables
case $purpose in
    run) "${install[@]}" --no-build-isolation --editable . ;;
    test) "${install[@]}" --no-build-isolation --editable '.[test]' ;;
    bundle) "${install[@]}" --no-build-isolation --editable '.[bundle]' ;;
    *) fail "set_up.sh: the purpose is run, test or bundle, not $purpose" ;;
esac
