#!/usr/bin/env bash
# Writes all generated code and manifests anew: what `go generate ./...` does in
# each module that has any, and make generate in the kubebuilder project. It also completes
# go.work.sum, which the go command would otherwise change in every clone. Run it after a
# change to API types, markers or go.mod files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

go mod download
for module in examples examples/controller-runtime hack; do
	(cd "$module" && go generate ./...)
done
make -C examples/controller-runtime/kubebuilder manifests generate
