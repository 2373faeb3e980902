#!/usr/bin/env bash
# Tests each module as its users get it: without go.work, against the versions
# that its own go.mod asks for. For runtime these are the lowest that it supports.
# The lowest Go builds and vets; the installed one tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export GOWORK=off
root=$PWD

for module in . runtime runtime/prometheus kubeconn examples examples/controller-runtime hack; do
	echo "== $module"
	(cd "$module" && go mod tidy -diff && "$root/hack/lowest-go.sh" && go vet ./... && go test ./...)
done
