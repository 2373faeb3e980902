// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import "testing"

func TestConflict(t *testing.T) {
	module := func(path, version string) kubeModule { return kubeModule{path: path, version: version} }
	replaced := func(path, version string) kubeModule { return kubeModule{path, version, true} }
	for name, test := range map[string]struct {
		mods []kubeModule
		want string
	}{
		"equal": {[]kubeModule{module(apimachinery, "v0.33.1"), module("k8s.io/client-go", "v0.33.9"), module("k8s.io/api", "v0.33.0")}, ""},
		"known": {[]kubeModule{module(apimachinery, "v0.35.0"), module("k8s.io/client-go", "v0.34.2")}, ""},
		"wide":  {[]kubeModule{module(apimachinery, "v0.37.0"), module("k8s.io/client-go", "v0.35.2")}, ""},
		"fork":  {[]kubeModule{replaced(apimachinery, ""), module("k8s.io/client-go", "v0.29.0")}, ""},
		"local": {[]kubeModule{module(apimachinery, "v0.33.1"), replaced("k8s.io/client-go", "")}, ""},
		"none":  {nil, ""},
		"old": {
			[]kubeModule{module(apimachinery, "v0.31.2"), module("k8s.io/client-go", "v0.31.2"), module(controllerRuntime, "v0.19.0")},
			"m is built with k8s.io/apimachinery v0.31.2, which is below v0.32.0, and no target works with it; run go get k8s.io/apimachinery@v0.32 k8s.io/client-go@v0.32 sigs.k8s.io/controller-runtime@v0.20 ./...",
		},
		"replaced": {
			[]kubeModule{replaced(apimachinery, "v0.29.3"), replaced("k8s.io/apiserver", "v0.29.3")},
			"m is built with k8s.io/apimachinery v0.29.3, which is below v0.32.0, and no target works with it; run go mod edit -dropreplace=k8s.io/apimachinery -dropreplace=k8s.io/apiserver && go get k8s.io/apimachinery@v0.32 k8s.io/apiserver@v0.32 ./...",
		},
		"raised": {
			[]kubeModule{module(apimachinery, "v0.36.0"), module("k8s.io/api", "v0.33.2"), module("k8s.io/client-go", "v0.33.2"), module("k8s.io/metrics", "v0.33.2"), module(controllerRuntime, "v0.21.0")},
			"m is built with k8s.io/apimachinery v0.36.0, with which k8s.io/api v0.33.2 and k8s.io/client-go v0.33.2 are not known to compile; run go get k8s.io/api@v0.36 k8s.io/client-go@v0.36 k8s.io/metrics@v0.36 sigs.k8s.io/controller-runtime@v0.24 ./...",
		},
		"pinned": {
			[]kubeModule{replaced(apimachinery, "v0.32.0"), module("k8s.io/client-go", "v0.34.0")},
			"m is built with k8s.io/apimachinery v0.32.0, with which k8s.io/client-go v0.34.0 is not known to compile; run go mod edit -dropreplace=k8s.io/apimachinery && go get k8s.io/apimachinery@v0.34 ./...",
		},
	} {
		if got := conflict("m", test.mods); got != test.want {
			t.Errorf("%s: %s\nwant %s", name, got, test.want)
		}
	}
}
