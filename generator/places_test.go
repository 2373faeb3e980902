// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator"
)

// places is the source of a package. Each line "@place" is a position where a marker can be written.
const places = `// +groupName=example.com
// +versionName=v1
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/scratch/other"
)

// @type
type Widget struct {
	metav1.TypeMeta   ~json:",inline"~
	metav1.ObjectMeta ~json:"metadata"~

	Spec Spec ~json:"spec"~
}

// @list
type WidgetList struct {
	metav1.TypeMeta ~json:",inline"~
	metav1.ListMeta ~json:"metadata"~
	Items []Widget ~json:"items"~
}

// @struct
type Spec struct {
	// @text
	Text string ~json:"text"~
	// @texts
	Texts []string ~json:"texts"~
	// @flag
	Flag *bool ~json:"flag"~
	// @key
	Pair Pair ~json:"pair"~
	// @map
	Map map[string]string ~json:"map"~
	// @float
	Ratio float64 ~json:"ratio"~
	// @embedded
	Inline ~json:",inline"~
	// @several
	A, B string
	// @unexported
	hidden string
	Note string ~json:"note"~ // @trailing

	// @nothing
}

type Inline struct {
	Deep string ~json:"deep"~
}

type Pair struct {
	A, B string
}

// @alias
type Alias = other.Thing

// @function
func Short(w *Widget) string { return "" }

// @functions
func Many(w *Widget) []string { return nil }

// @predicate
func Big(w *Widget) bool { return false }

// @method
func (w *Widget) Short() string { return "" }

// @variable
var Some Widget
`

const thing = `// +groupName=other.example.com
// +versionName=v1
package other

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Thing struct {
	metav1.TypeMeta   ~json:",inline"~
	metav1.ObjectMeta ~json:"metadata"~

	Spec struct {
		Text  string   ~json:"text"~
		Texts []string ~json:"texts"~
		Flag  bool     ~json:"flag"~
	} ~json:"spec"~
}
`

var written = []string{
	"+index",
	"+index:name=N",
	"+index:unique=true",
	"+index:ordered=true",
	"+index:unique=true,ordered=true",
	"+index:unique=false,ordered=false",
	"+index:name=N,path=.spec.text",
	"+index:name=N,path=.spec.text,unique=true",
	"+index:name=N,path=.spec.text,ordered=true",
	"+index:name=N,path=.spec.text,unique=true,ordered=true",
	"+index:name=N,path=.spec.flag,ordered=true",
	"+index:name=N,path=.spec.texts[*],ordered=true",
	"+index:name=N,paths={.spec.text,.spec.flag}",
	"+index:name=N,paths={.spec.text,.spec.flag},unique=true",
	"+index:name=N,paths={.spec.text,.spec.flag},ordered=true",
	"+index:name=N,paths={.spec.texts[*],.metadata.name},unique=true,ordered=true",
	"+index:name=N,namespacePath=.spec.text",
	"+index:name=N,path=.spec.text,nonsense=true",
	"+index:generate",
	"+index:generate:unique=true",
	"+index:labels",
	"+index:labels:name=N",
	"+index:owner",
	"+index:owner:unique=true",
	"+index:ref",
	"+index:ref:name=N",
	"+index:ref:path=.spec.text",
	"+index:ref:name=N,path=.spec.text",
	"+index:ref:name=N,path=.spec.texts",
	"+index:ref:name=N,path=.spec.text,namespacePath=.metadata.name",
	"+index:ref:name=N,path=.spec.text,unique=true",
	"+index:ref:name=N,path=.spec.text,ordered=true",
	"+index:ref:name=N,path=.spec.flag",
	"+index:ref:name=N,paths={.spec.text,.spec.flag}",
	"+index:ref:to=Secret",
	"+index:ref:name=N,to=Node",
	"+index:ref:name=N,path=.spec.text,to=Secret",
	"+index:ref:name=N,path=.spec.text,to=Node,unique=true",
	"+index:ref:name=N,path=.spec.text,scope=Cluster",
	"+index:omitempty=true",
	"+index:name=N,path=.spec.text,omitempty=true,ordered=true",
	"+index:func:name=N,omitempty=true",
	"+index:func",
	"+index:func:name=N",
	"+index:func:name=N,unique=true",
	"+index:func:name=N,ordered=true",
	"+index:func:name=N,unique=true,ordered=true",
	"+index:func:name=N,path=.spec.text",
	"+kubebuilder:selectablefield:JSONPath=.spec.text",
	"+kubebuilder:selectablefield:JSONPath=.spec.none",
	"+kubebuilder:selectablefield",
}

// TestPlaces writes every marker, with the options that it has and some that it
// has not, everywhere that a marker can stand, and compares what becomes of it, the
// methods or the reason why not, with testdata/places.txt. UPDATE=1 writes that.
func TestPlaces(t *testing.T) {
	backquoted := strings.NewReplacer("~", "`")
	files := map[string]string{"other/types.go": backquoted.Replace(thing)}
	var dirs, all []string
	for _, at := range place.FindAllStringSubmatch(places, -1) {
		all = append(all, at[1])
		for i, marker := range written {
			dir := fmt.Sprintf("%s/%02d", at[1], i)
			dirs = append(dirs, dir)
			files[dir+"/types.go"] = backquoted.Replace(place.ReplaceAllStringFunc(places, func(found string) string {
				if found == at[0] {
					return "// " + marker
				}
				return ""
			}))
		}
	}
	answers := emitEach(t, module(t, files), dirs)
	var out strings.Builder
	for i, marker := range written {
		out.WriteString(marker + "\n")
		var order []string
		where := map[string][]string{}
		for _, at := range all {
			answer := answers[fmt.Sprintf("%s/%02d", at, i)]
			if where[answer] == nil {
				order = append(order, answer)
			}
			where[answer] = append(where[answer], at)
		}
		for _, answer := range order {
			out.WriteString("  " + strings.Join(where[answer], ", ") + "\n" + answer)
		}
	}
	golden := filepath.Join("testdata", "places.txt")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, wanted := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(got), len(wanted)) {
		if got[i] != wanted[i] {
			t.Fatalf("line %d is %s\nwant %s\nUPDATE=1 writes the file", i+1, got[i], wanted[i])
		}
	}
	if len(got) != len(wanted) {
		t.Fatalf("there are %d lines, want %d", len(got), len(wanted))
	}
}

var (
	place  = regexp.MustCompile(`// @(\w+)`)
	method = regexp.MustCompile(`(?m)^func \(\w+ \w+Lister\) (\w+)(\(.*) \{$`)
	kind   = regexp.MustCompile(`\b(Widget|Alias)(NKey)?\b`)
)

// emitEach generates for each directory that has no mistake, and returns what
// became of each: the diagnostics, or the methods of the lister.
func emitEach(t *testing.T, root string, dirs []string) map[string]string {
	out := map[string]string{}
	for left := len(dirs); ; {
		var patterns []string
		for _, dir := range dirs {
			if out[dir] == "" {
				patterns = append(patterns, "./"+dir)
			}
		}
		_, err := generator.Run(t.Context(), generator.Config{Dir: root, Patterns: patterns})
		var list generator.Diagnostics
		if err == nil {
			break
		}
		if !errors.As(err, &list) || len(patterns) > left {
			t.Fatal(err)
		}
		for _, d := range list {
			out[filepath.Dir(d.Pos.Filename)] += "      " + d.Message + "\n"
		}
		left = len(patterns) - 1
	}
	for _, dir := range dirs {
		text, err := os.ReadFile(filepath.Join(root, dir, generator.FileName))
		if (err == nil) != (out[dir] == "") {
			t.Errorf("%s: %s, %v", dir, out[dir], err)
		}
		if err != nil {
			continue
		}
		for _, m := range method.FindAllStringSubmatch(string(text), -1) {
			if m[1] != "Snapshot" {
				out[dir] += "      " + m[1] + kind.ReplaceAllString(m[2], "T$2") + "\n"
			}
		}
		if out[dir] == "" {
			out[dir] = "      emitted, without an index\n"
		}
	}
	return out
}
