#!/usr/bin/env bash
# Installs the Debian packages listed in packages.txt. Does nothing, and needs no rights, when all of them are there.
set -euo pipefail
list="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/packages.txt"

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install.sh: this is not a Debian or Ubuntu system; install the equivalents of $list by hand" >&2
  exit 1
fi

missing=()
while read -r package; do
  [[ -z "$package" || "$package" == \#* ]] && continue
  status="$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)"
  [[ "$status" == installed ]] || missing+=("$package")
done < "$list"
(( ${#missing[@]} == 0 )) && exit 0

as_root=()
if (( $(id -u) != 0 )); then
  command -v sudo >/dev/null || { echo "install.sh: run as root, or install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
