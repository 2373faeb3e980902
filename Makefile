# The commands of CONTRIBUTING.md. `make` lists them.

.PHONY: help
help:
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "%-12s %s\n", $$1, $$2 }'

.PHONY: quickstart
quickstart: ## run the first example on a real API server
	go run ./examples/quickstart

.PHONY: test
test: ## test the generator, the runtime and the quickstart, in minutes
	go test -short ./... ./runtime/... ./examples/quickstart/...

.PHONY: test-all
test-all: ## test all modules
	go test work

.PHONY: race
race: ## find data races in the runtime, and end to end
	cd runtime && go test -race ./...
	cd examples && go test -race ./apiserver ./e2e/...

.PHONY: generate
generate: ## write generated code, manifests and tables again
	hack/update-codegen.sh

.PHONY: verify
verify: ## check that generated code, manifests and tables are up to date
	hack/verify-codegen.sh

.PHONY: lint
lint: ## run golangci-lint
	hack/lint.sh

.PHONY: modules
modules: ## build, vet and test each module as its users get it
	hack/test-modules.sh

.PHONY: floors
floors: ## test with old and new Kubernetes releases
	hack/test-floors.sh

.PHONY: kubernetes
kubernetes: ## test with a whole kube-apiserver and built-in types
	hack/test-kubernetes.sh

.PHONY: bench
bench: ## compare the store and the informer with client-go
	hack/bench.sh

.PHONY: ci
ci: ## do all that a merge requires
	.ci/run
