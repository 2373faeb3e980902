#!/usr/bin/env bash
# Writes all generated code and manifests anew: what `go generate ./...` does in
# each module that has any, and make generate in the kubebuilder project. Run it after a
# change to API types or to markers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for module in examples examples/controller-runtime hack; do
	(cd "$module" && go generate ./...)
done
make -C examples/controller-runtime/kubebuilder manifests generate
