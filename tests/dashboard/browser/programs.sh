#!/bin/sh
# Installs chromium and npm where they are missing: those of Debian, by apt-get.
set -eu
missing=
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
    missing=chromium
command -v npm >/dev/null || missing="$missing npm"
if [ -z "$missing" ]; then exit 0; fi
if ! command -v apt-get >/dev/null; then
    echo "Missing: $missing. There is no apt-get to install it: put it on the path." >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null; then
    as_root=sudo
else
    echo "Missing: $missing. Run 'apt-get install $missing' as root." >&2
    exit 1
fi
# shellcheck disable=SC2086
$as_root apt-get install --yes --no-install-recommends $missing ||
    { $as_root apt-get update && $as_root apt-get install --yes --no-install-recommends $missing; }
