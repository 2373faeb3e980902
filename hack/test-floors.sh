#!/usr/bin/env bash
# Tests with releases of Kubernetes: with those named, as in hack/test-floors.sh 32 37, or
# with all that the runtime supports. Each has the newest patches of its apimachinery,
# client-go and controller-runtime.
#
# The tests are those of a user's project, in hack/floors, and those of the
# modules of runtime; the flag -projects leaves the latter out. The project has emitted code for all
# three caches, client-go's clients and controller-runtime in one module. Each release gets a copy of it,
# outside of the repository.
#
# hack/test-floors.sh -unsent tests what NewCache of runtime/ctrlruntime needs of controller-runtime beyond its API,
# with each of its releases from v0.24.0 on, also with those that are newer than the workspace's.
#
# hack/test-floors.sh -next tests runtime/clientgo with the newest Kubernetes, pre-releases included, and the Go that
# it needs; with a version, as in -next v0.38.0-alpha.2, with that.
#
# A release requires all but -next. A weekly job runs -unsent and -next. A merge requires -projects 32 37.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
export GOWORK=off GOFLAGS=
module=github.com/indexer-gen/indexer-gen

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "${1-}" = -next ]; then
	export GOTOOLCHAIN=auto
	next=${2:-$(go list -m -versions k8s.io/client-go | tr ' ' '\n' | grep '^v0' | tail -1)}
	echo "== runtime/clientgo with k8s.io $next"
	mod=$work/next.mod
	cp runtime/clientgo/go.mod "$mod"
	cp runtime/clientgo/go.sum "${mod%.mod}.sum"
	cd runtime/clientgo
	go get -modfile="$mod" k8s.io/api@$next k8s.io/apimachinery@$next k8s.io/client-go@$next
	GOTOOLCHAIN=go$(sed -n 's/^go //p' "$mod")
	go mod tidy -modfile="$mod"
	go vet -modfile="$mod" ./...
	go test -modfile="$mod" ./...
	exit
fi
# latest prints the newest patch of a minor version of a module.
latest() {
	go list -m -versions "$1" | tr ' ' '\n' | grep -E "^v0\.$2\.[0-9]+$" | tail -1
}

if [ "${1-}" = -unsent ]; then
	cd runtime/ctrlruntime
	releases=$(go list -m -versions sigs.k8s.io/controller-runtime | tr ' ' '\n' | grep -E '^v0\.(2[4-9]|[3-9][0-9])\.[0-9]+$')
	for controller in $releases; do
		minor=${controller#v0.}
		kube=$(latest k8s.io/client-go $((${minor%.*} + 12)))
		echo "== unsent requests of controller-runtime $controller with client-go $kube"
		mod=$work/$controller.mod
		cp go.mod "$mod"
		cp go.sum "${mod%.mod}.sum"
		go get -modfile="$mod" sigs.k8s.io/controller-runtime@"$controller" k8s.io/client-go@"$kube"
		go mod tidy -modfile="$mod"
		go test -modfile="$mod" -run '^(TestScopeOf|TestPlanned|TestReads$|TestFailingMapper|TestInformersMade)' .
	done
	exit
fi
go build -o "$work/indexer-gen" ./cmd/indexer-gen

modules="runtime runtime/wire runtime/kubeconn runtime/clientgo runtime/ctrlruntime"
if [ "${1-}" = -projects ]; then
	modules=""
	shift
fi

for minor in ${@:-32 33 34 35 36 37}; do
	kube=$(latest k8s.io/client-go "$minor")
	controller=$(latest sigs.k8s.io/controller-runtime $((minor - 12)))

	for dir in $modules; do
		case $dir in runtime/clientgo | runtime/ctrlruntime) [ "$minor" -ge 36 ] || continue ;; esac
		echo "== $dir with k8s.io $kube"
		mod=$work/$minor-${dir//\//-}.mod
		cp $dir/go.mod "$mod"
		cp $dir/go.sum "${mod%.mod}.sum"
		(
			cd $dir
			case $dir in
			runtime | runtime/wire) go get -modfile="$mod" k8s.io/apimachinery@"$kube" ;;
			runtime/ctrlruntime) go get -modfile="$mod" sigs.k8s.io/controller-runtime@"$controller" k8s.io/client-go@"$kube" ;;
			runtime/*) go get -modfile="$mod" k8s.io/client-go@"$kube" ;;
			esac
			go mod tidy -modfile="$mod"
			go test -modfile="$mod" ./...
		)
	done

	echo "== a project with k8s.io $kube and controller-runtime $controller"
	project=$work/$minor
	cp -r hack/floors/testdata/project "$project"
	(
		cd "$project"
		cat >go.mod <<-MOD
			module example.com/project

			go 1.24.0

			require (
				$module/runtime/kubeconn v0.0.0
				$module/runtime/wire v0.0.0
				$module/runtime v0.0.0
				k8s.io/client-go $kube
				sigs.k8s.io/controller-runtime $controller
			)

			replace (
				$module/runtime/kubeconn => $root/runtime/kubeconn
				$module/runtime/wire => $root/runtime/wire
				$module/runtime => $root/runtime
			)
		MOD
		go get ./...
		"$work/indexer-gen" ./api/...
		"$work/indexer-gen" -target=native,client-go,controller-runtime ./builtin
		go mod tidy
		for lib in api apimachinery client-go; do
			test "$(go list -m -f '{{.Version}}' k8s.io/$lib)" = "$kube"
		done
		go vet ./...
		go test ./...
		"$root/hack/lowest-go.sh"
	)
done
