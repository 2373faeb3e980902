module github.com/indexer-gen/indexer-gen

go 1.26.0

require (
	github.com/gobuffalo/flect v1.0.3
	github.com/rogpeppe/go-internal v1.14.1
	golang.org/x/mod v0.42.0
	golang.org/x/tools v0.52.0
	sigs.k8s.io/controller-tools v0.23.0
)

require (
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	k8s.io/apimachinery v0.37.2 // indirect
)
