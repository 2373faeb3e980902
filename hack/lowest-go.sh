#!/usr/bin/env bash
# Builds and vets the module in the current directory with the lowest Go that its go.mod
# allows. It does nothing if the installed Go is of the same minor version.
set -euo pipefail
version=$(sed -n 's/^go //p' go.mod)
if [[ $(go env GOVERSION) != go${version%.*}.* ]]; then
	export GOTOOLCHAIN=go$version
	go build ./...
	go vet ./...
fi
