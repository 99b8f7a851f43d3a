#!/usr/bin/env bash
# The documentation of the libraries as a static site in .docs; any warning is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The toolchain's docc is beside its swift.
docc=$(command -v docc || true)
[ -n "$docc" ] || docc="$(dirname "$(readlink -f "$(command -v swift)")")/docc"
graphs=.build/docs-graphs
rm -rf "$graphs" .docs
mkdir -p "$graphs"
swift build 2>&1 | grep -E "error:|Build complete" || exit 1
folder=$(swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members \
    2>/dev/null | sed -n 's/^Files written to //p')
for library in Reprise AgoKit; do
    cp "$folder/$library".symbols.json "$folder/$library"@*.symbols.json "$graphs" 2>/dev/null || true
done
"$docc" convert Sources/Reprise/Reprise.docc --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name Reprise --fallback-bundle-identifier reprise \
    --warnings-as-errors --output-path .docs
echo "the documentation is in .docs"
