// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator"
)

// TestReasons checks that markers on a type, a field and a function name the same cause, once.
func TestReasons(t *testing.T) {
	const types = `// +groupName=core
// +versionName=v1
package api

import (
	"example.com/scratch/other"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type meta struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

type Gadget struct {
	meta ~json:",inline"~

	// +index
	Size int ~json:"size"~
}

// +index:func:name=Short
func short(g *Gadget) string { return "" }

type Widget = other.Widget

// +index:func:name=A
func a(w *Widget) string { return "" }

// +index:func:name=B
func b(w *Widget) string { return "" }

// +index:generate
type Core struct {
	metav1.TypeMeta   ~json:",inline"~
	metav1.ObjectMeta ~json:"metadata"~
}
`
	dir := module(t, map[string]string{
		"api/types.go":   strings.ReplaceAll(types, "~", "`"),
		"other/types.go": strings.Replace(widget, "package api", "package other", 1),
	})
	_, err := generator.Run(t.Context(), generator.Config{Dir: dir, Patterns: []string{"./api"}})
	const why = "it embeds metav1.TypeMeta only through meta; write metav1.TypeMeta `json:\",inline\"` in it\n"
	want := "api/types.go:1:4: +groupName=core is not the name of a group: the core group has the empty name; leave it empty\n" +
		"api/types.go:18:5: Gadget, which leads to the field, is not a root type: " + why +
		"api/types.go:22:4: the function short takes a pointer to Gadget, which is not a root type: " + why +
		"api/types.go:27:4: the function a takes a pointer to example.com/scratch/other.Widget, which has no marker; " +
		"write // +index:generate above the alias Widget at api/types.go:25:6"
	if err == nil || err.Error() != want {
		t.Errorf("Run() = %v\nwant %s", err, want)
	}
}
