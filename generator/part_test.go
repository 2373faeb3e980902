// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator"
)

// TestPart checks a slim type against the type that +index:part names, also if no field has a type of its
// package.
func TestPart(t *testing.T) {
	const slim = `// +groupName=
// +versionName=v1
package api

import "github.com/indexer-gen/indexer-gen/runtime/slim"

// +index:part:of=OF
type Service struct {
	slim.Meta ~json:"metadata"~

	Spec struct {
		ClusterIPs []string ~json:"FIELD"~
	} ~json:"spec"~
}
`
	const service = `package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Service struct {
	metav1.ObjectMeta ~json:"metadata" protobuf:"bytes,1,opt,name=metadata"~
	Spec ServiceSpec ~json:"spec" protobuf:"bytes,2,opt,name=spec"~
}

type ServiceSpec struct {
	ClusterIPs []string ~json:"clusterIPs" protobuf:"bytes,18,opt,name=clusterIPs"~
}
`
	for _, test := range []struct{ of, field, want string }{
		{"example.com/scratch/core/v1.Service", "clusterIPs", ""},
		{"example.com/scratch/core/v1.Service", "clusterIps", "api/types.go:12:3: Service has clusterIps, and " +
			"example.com/scratch/core/v1.Service.spec has not; did you mean clusterIPs?"},
		{"example.com/scratch/core/v1.Servce", "clusterIPs", "api/types.go:7:19: package example.com/scratch/core/v1 " +
			"has no type Servce; did you mean Service?"},
		{"example.com/scratch/core/v2.Service", "clusterIPs", "api/types.go:7:19: package example.com/scratch/core/v2 " +
			"cannot be loaded: "},
	} {
		text := strings.NewReplacer("OF", test.of, "FIELD", test.field, "~", "`").Replace(slim)
		dir := module(t, map[string]string{
			"go.mod": "module example.com/scratch\n\ngo 1.24.0\n\nrequire (\n\tk8s.io/apimachinery v0.0.0\n" +
				"\tgithub.com/indexer-gen/indexer-gen/runtime v0.0.0\n)\n\nreplace (\n\tk8s.io/apimachinery => ./meta\n" +
				"\tgithub.com/indexer-gen/indexer-gen/runtime => ./runtime\n)\n",
			"runtime/go.mod":       "module github.com/indexer-gen/indexer-gen/runtime\n\ngo 1.24.0\n",
			"runtime/slim/slim.go": "package slim\n\ntype Meta struct{ Name string }\n",
			"core/v1/types.go":     strings.ReplaceAll(service, "~", "`"),
			"api/types.go":         text,
		})
		_, err := generator.Run(t.Context(), generator.Config{Dir: dir, Patterns: []string{"./api"}})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") || strings.Contains(got, "\n") {
			t.Errorf("%s, %s: %q, want %q", test.of, test.field, got, test.want)
		}
	}
}
