#!/bin/sh
# Makes sure that there is a chromium: Debian's, by apt-get, where none is on the path.
set -eu
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then exit 0; fi
done
if ! command -v apt-get >/dev/null; then
    echo "There is no chromium, and no apt-get to install it: put chromium on the path." >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null; then
    as_root=sudo
else
    echo "There is no chromium: run 'apt-get install chromium' as root." >&2
    exit 1
fi
$as_root apt-get install --yes --no-install-recommends chromium ||
    { $as_root apt-get update && $as_root apt-get install --yes --no-install-recommends chromium; }
