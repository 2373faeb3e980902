#!/usr/bin/env bash
# Fails, with a diff, if the generated code and manifests are not what
# hack/update-codegen.sh would write. It generates into a copy: the tree that it
# is called in is left alone, and may have changes that are not committed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard |
	while IFS= read -r -d '' file; do
		if [ -e "$file" ]; then printf '%s\0' "$file"; fi
	done |
	tar --create --null --files-from=- | tar --extract --directory="$copy"
cp -r "$copy" "$copy.before"
trap 'rm -rf "$copy" "$copy.before"' EXIT

"$copy/hack/update-codegen.sh"
if ! diff --unified --recursive "$copy.before" "$copy"; then
	echo "generated code is stale: run hack/update-codegen.sh" >&2
	exit 1
fi
echo "generated code is up to date"
