#!/usr/bin/env bash
# Runs the tests of Flux's kustomize-controller on an API server, with its own indexes and watches, and with
# those of examples/controller-runtime/fluxcd: a trigger over the cache of ctrlruntime.NewCache.
#
#	hack/test-flux.sh before	# its own
#	hack/test-flux.sh after		# ours
#
# Without a name it runs both, and fails if a test passes only before. Other arguments go to the test binary,
# as in -test.run=Wait, and its output is shown. The tests run in a copy of the module, with the versions of
# Kubernetes and controller-runtime that our modules need. The copy starts no Vault in a container, so the test
# of its decryption fails. hack/fluxcd/testdata has the setup that takes the place of SetupWithManager.
# kube-apiserver and etcd are built unless they are; the first time takes about ten minutes, and a run five.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
module=github.com/indexer-gen/indexer-gen/runtime

variants="before after"
case ${1-} in
before | after) variants=$1 && shift ;;
esac

if [[ -z ${KUBEBUILDER_ASSETS:-} ]]; then
	KUBEBUILDER_ASSETS=$(cd examples && go run ./apiserver/cmd/apiserver -assets)
fi
export KUBEBUILDER_ASSETS GOWORK=off GOFLAGS=-mod=mod

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source_of() { go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'; }
cp -r --no-preserve=mode "$(source_of github.com/fluxcd/kustomize-controller@v1.9.6)" "$work/module"
crds=$(source_of github.com/fluxcd/source-controller@v1.9.0)/config/crd/bases
testenv=$(source_of github.com/fluxcd/pkg/runtime@v0.110.3)/testenv
cd "$work/module"
cp --no-preserve=mode "$crds"/*.yaml config/crd/bases/
go mod edit -dropreplace=github.com/fluxcd/kustomize-controller/api
for dir in "" /clientgo /ctrlruntime /kubeconn /wire; do
	go mod edit -require=$module$dir@v0.0.0 -replace=$module$dir="$root/runtime$dir"
done
sed -i '/Create a Vault test instance/,/^	}()/d' internal/controller/suite_test.go

convert() {
	mkdir internal/fluxcd internal/testenv
	cp "$root"/examples/controller-runtime/fluxcd/{controller,types,zz_generated.indexers}.go internal/fluxcd/
	cp "$root"/hack/fluxcd/testdata/converted_test.go internal/controller/
	cp --no-preserve=mode "$testenv"/*.go internal/testenv/
	sed -i -e "s,^import (,&\n\"$module/ctrlruntime\"," -e 's/Scheme: opts.scheme,/& NewCache: ctrlruntime.NewCache,/' \
		internal/testenv/testenv.go
	sed -i -e 's,fluxcd/pkg/runtime/testenv,fluxcd/kustomize-controller/internal/testenv,' \
		-e 's/(reconciler).SetupWithManager(ctx, testEnv, /setupConverted(ctx, testEnv, reconciler, /' \
		internal/controller/*_test.go
}

for variant in $variants; do
	if [[ $variant = after ]]; then convert; fi
	go test -c -o "$work/$variant.test" ./internal/controller
	echo "== $variant"
	(cd internal/controller && "$work/$variant.test" -test.v "$@" >"$work/$variant.log" 2>&1) || true
	if (($#)); then cat "$work/$variant.log"; else grep -E '^--- (PASS|FAIL)' "$work/$variant.log"; fi
	sed -n 's/^--- PASS: \([^ ]*\).*/\1/p' "$work/$variant.log" | sort >"$work/$variant.passed"
	echo "$(wc -l <"$work/$variant.passed") tests pass $variant"
done
if [[ $variants = "before after" ]]; then
	comm -23 "$work/before.passed" "$work/after.passed" >"$work/lost"
	if [[ -s $work/lost || ! -s $work/before.passed ]]; then
		echo "these pass only before:" && cat "$work/lost" && exit 1
	fi
fi
