#!/usr/bin/env bash
# The documentation of the libraries as static sites: .docs/Reprise and .docs/AgoKit. Any warning
# is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

swift build 2>&1 | grep -E "error:" && exit 1
build=$(swift build --show-bin-path)
target=$(swift -print-target-info | sed -n 's/^ *"unversionedTriple" *: *"\(.*\)".*/\1/p')
# The toolchain's docc is beside its swift.
docc=$(command -v docc || true)
[ -n "$docc" ] || docc="$(dirname "$(readlink -f "$(command -v swift)")")/docc"
rm -rf .docs "$build/graphs"
mkdir .docs

# `swift package dump-symbol-graph` leaves out what a module exports of others, and the umbrella
# is nothing else; the extractor itself can put it in.
graph() {
    mkdir -p "$build/graphs/$1"
    swift symbolgraph-extract -module-name "$1" -target "$target" -I "$build/Modules" \
        -Xcc -fmodule-map-file=Sources/CZlib/module.modulemap \
        -Xcc -fmodule-map-file=Sources/CCurl/module.modulemap \
        -Xcc -fmodule-map-file="$build/CSystem.build/module.modulemap" \
        -minimum-access-level public -skip-synthesized-members \
        -output-dir "$build/graphs/$1" "${@:2}"
}

convert() {
    "$docc" convert "${@:2}" --additional-symbol-graph-dir "$build/graphs/$1" \
        --fallback-display-name "$1" --fallback-bundle-identifier "reprise.$1" \
        --warnings-as-errors --output-path ".docs/$1"
}

exported=$(sed -n 's/^@_exported public import //p' Sources/Reprise/Reprise.swift | paste -sd, -)
graph Reprise -experimental-allowed-reexported-modules="$exported"
graph AgoKit
convert Reprise Sources/Reprise/Reprise.docc
convert AgoKit
echo "the documentation is in .docs/Reprise and .docs/AgoKit"
