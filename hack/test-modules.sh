#!/usr/bin/env bash
# Builds and vets each module as its users get it: without go.work, against the versions
# that its own go.mod requires, and with the lowest Go that it allows. Modules that require
# less than the workspace has are tested with that; go test work has tested the others. Here runtime and wire run with the
# race detector, and there without it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export GOWORK=off
root=$PWD

for module in . runtime runtime/clientgo runtime/ctrlruntime runtime/kubeconn runtime/prometheus runtime/wire examples examples/controller-runtime hack; do
	echo "== $module"
	(cd "$module" && go mod tidy -diff && "$root/hack/lowest-go.sh" && go vet ./...)
done
for module in runtime runtime/clientgo runtime/ctrlruntime runtime/kubeconn runtime/prometheus runtime/wire; do
	echo "== tests of $module"
	race=
	case $module in runtime | runtime/wire) race=-race ;; esac
	(cd "$module" && go test $race ./...)
done
