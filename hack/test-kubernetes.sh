#!/usr/bin/env bash
# Builds kube-apiserver, etcd and kubectl unless they are built, and runs all tests that
# need them. The first build takes about ten minutes. Arguments go to go test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../examples"

if [[ -z ${KUBEBUILDER_ASSETS:-} ]]; then
	KUBEBUILDER_ASSETS=$(go run ./apiserver/cmd/apiserver -assets)
	export INDEXER_GEN_TEST_ASSETS=true # the commands are built, so that TestBuildAssets is quick
fi
export KUBEBUILDER_ASSETS
go test -count=1 "$@" ./apiserver/... ./builtin ./controller-runtime/cronjob \
	./controller-runtime/certificates ../hack/syncbench ../hack/managerbench
