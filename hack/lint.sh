#!/usr/bin/env bash
# Runs golangci-lint with .golangci.yml in the modules of the product, and some of its linters in examples and hack.
# golangci.mod pins its version, outside of go.work. The first run builds it, which takes some minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export GOWORK=off
linter=$(go tool -modfile=hack/golangci.mod -n golangci-lint)
for module in . runtime runtime/clientgo runtime/ctrlruntime runtime/kubeconn runtime/prometheus runtime/wire; do
	echo "== $module"
	(cd "$module" && "$linter" run --allow-parallel-runners "$@" ./...)
done
unformatted=$(git ls-files -z --cached '*.go' | grep -zv testdata/ | xargs -0 gofmt -l)
if [ -n "$unformatted" ]; then
	echo "run gofmt -w on:" $unformatted
	exit 1
fi
for module in examples examples/controller-runtime hack; do
	echo "== $module"
	(cd "$module" && "$linter" run --allow-parallel-runners --enable-only=goheader,revive "$@" ./...)
done
