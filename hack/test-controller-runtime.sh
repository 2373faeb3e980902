#!/usr/bin/env bash
# Runs controller-runtime's own tests of pkg/cache over our informers, and those of the client that reads
# its own writes (ConsistentClient of pkg/client):
#
#	hack/test-controller-runtime.sh informer	# cache.New with NewInformer: clientgo.NewSharedIndexInformer
#	hack/test-controller-runtime.sh cache		# ctrlruntime.NewCache
#
# Without a name it runs both. Other arguments go to the test binary, as in -ginkgo.focus=transform.
# The tests run in a copy of the module, which is changed in one respect: the tests call newCache in
# place of cache.New. hack/ctrlruntime/testdata defines newCache. kube-apiserver and etcd are built
# unless they are; the first time takes about ten minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
module=github.com/indexer-gen/indexer-gen/runtime
upstream=sigs.k8s.io/controller-runtime@v0.25.2

variants="informer cache"
case ${1-} in
informer | cache) variants=$1 && shift ;;
esac

if [[ -z ${KUBEBUILDER_ASSETS:-} ]]; then
	KUBEBUILDER_ASSETS=$(cd examples && go run ./apiserver/cmd/apiserver -assets)
fi
export KUBEBUILDER_ASSETS GOWORK=off GOFLAGS=-mod=mod

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
original=$(go mod download -json $upstream | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
cp -r --no-preserve=mode "$original" "$work/module"
cd "$work/module"
gofmt -w -r 'cache.New -> newCache' pkg/cache/*_test.go pkg/client/consistency_envtest_test.go
cp "$root"/hack/ctrlruntime/testdata/newcache_test.go pkg/cache/
sed 's/^package cache_test$/package client_test/' pkg/cache/newcache_test.go >pkg/client/newcache_test.go
for dir in "" /clientgo /ctrlruntime /kubeconn /wire; do
	go mod edit -require=$module$dir@v0.0.0 -replace=$module$dir="$root/runtime$dir"
done
go test -c -o "$work/cache.test" ./pkg/cache
go test -c -o "$work/client.test" ./pkg/client

for variant in $variants; do
	echo "== pkg/cache of $upstream with $variant"
	(cd pkg/cache && NEW_CACHE=$variant "$work/cache.test" -ginkgo.no-color "$@")
	echo "== ConsistentClient of pkg/client with $variant"
	(cd pkg/client && NEW_CACHE=$variant "$work/client.test" -ginkgo.no-color -ginkgo.focus=ConsistentClient)
done
