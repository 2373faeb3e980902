#!/usr/bin/env bash
# Checks the format of Go files and the subjects of commits. Then runs golangci-lint with .golangci.yml in the modules of
# the product, and some of its linters in examples and hack. golangci.mod pins its version, outside of go.work. The first
# run builds it, which takes some minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

unformatted=$(git ls-files -z --cached '*.go' | grep -zv testdata/ | xargs -0 gofmt -l)
if [ -n "$unformatted" ]; then
	echo "run gofmt -w on:" $unformatted
	exit 1
fi
if git rev-parse --quiet --verify origin/main >/dev/null; then
	long=$(git log --no-merges --format=%s origin/main..HEAD | LC_ALL=C.UTF-8 grep -E '.{73}' || true)
	if [ -n "$long" ]; then
		printf 'subjects of commits have more than 72 characters:\n%s\n' "$long"
		exit 1
	fi
fi

export GOWORK=off
linter=$(go tool -modfile=hack/golangci.mod -n golangci-lint)
for module in . runtime runtime/clientgo runtime/ctrlruntime runtime/kubeconn runtime/prometheus runtime/wire; do
	echo "== $module"
	(cd "$module" && "$linter" run --allow-parallel-runners "$@" ./...)
done
for module in examples examples/controller-runtime hack; do
	echo "== $module"
	(cd "$module" && "$linter" run --allow-parallel-runners --enable-only=goheader,revive "$@" ./...)
done
