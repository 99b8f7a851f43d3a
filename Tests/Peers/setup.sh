#!/usr/bin/env bash
# Installs what building and testing need on a Debian system with a Swift toolchain: development
# packages, and the stand-ins' Python packages in .venv. Does nothing where nothing is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! command -v swift >/dev/null; then
    echo "setup: no swift on PATH; Reprise needs a Swift 6.2 toolchain or newer (swift.org/install)" >&2
    exit 1
fi

missing=()
# Asked for by what they give, so that other distributions' packages count too. SwiftPM itself
# only warns where a system library is missing.
if ! command -v pkg-config >/dev/null; then
    missing+=(pkg-config zlib1g-dev libcurl4-openssl-dev libmicrohttpd-dev)
else
    pkg-config --exists zlib || missing+=(zlib1g-dev)
    pkg-config --exists libcurl || missing+=(libcurl4-openssl-dev)
    pkg-config --exists libmicrohttpd || missing+=(libmicrohttpd-dev)
fi
if ! command -v python3 >/dev/null; then
    missing+=(python3 python3-venv)
elif ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    missing+=(python3-venv)
fi
command -v git >/dev/null || missing+=(git)
command -v gzip >/dev/null || missing+=(gzip)

if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(uname -s)" != Linux ] || ! command -v apt-get >/dev/null; then
        echo "setup: missing (by their names in Debian): ${missing[*]}" >&2
        exit 1
    elif [ "$(id -u)" != 0 ]; then
        echo "setup: some packages are missing; run this, then try again:" >&2
        echo "  sudo apt-get install -y ${missing[*]}" >&2
        exit 1
    fi
    echo "setup: installing ${missing[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 \
        "${missing[@]}" >/dev/null
fi

requirements=Tests/Peers/requirements.txt
if ! cmp -s "$requirements" .venv/installed.txt || [ ! -x .venv/bin/python ]; then
    echo "setup: installing the stand-ins' Python packages in .venv"
    rm -rf .venv
    python3 -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$requirements"
    cp "$requirements" .venv/installed.txt
fi
