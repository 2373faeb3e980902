// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package realworld

// module is an API module with the reference for its types.
type module struct {
	path, version string
	packages      string    // patterns below the module, separated by spaces
	reference     reference // how its types are served
}

// modules are tested each in a scratch module of its own: in one module they
// would raise each other's versions.
var modules = []module{
	{"k8s.io/api", "v0.37.2", "/...", clientset},
	{"sigs.k8s.io/gateway-api", "v1.4.0", "/apis/... /apisx/...", manifests("config/crd/*")},
	{"github.com/cert-manager/cert-manager", "v1.21.2", "/pkg/apis/...", manifests("deploy/crds")},
	{"sigs.k8s.io/cluster-api/api", "v1.14.2", "/...", manifestsOf("sigs.k8s.io/cluster-api", "core/config/crd/bases", "bootstrap/*/config/crd/bases", "controlplane/*/config/crd/bases")},
	{"github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring", "v0.92.0", "/...", manifestsOf("github.com/prometheus-operator/prometheus-operator", "example/prometheus-operator-crd")},
	{"github.com/fluxcd/source-controller/api", "v1.9.0", "/...", manifestsOf("github.com/fluxcd/source-controller", "config/crd/bases")},
	{"github.com/kubernetes-csi/external-snapshotter/client/v8", "v8.4.0", "/apis/...", manifests("config/crd")},
}
