// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// project is the directory of the project that all tests read: testdata/project.txtar, and a package with constructs.
var project string

func TestMain(m *testing.M) {
	if flag.Parse(); testing.Short() {
		short := constructs[:0]
		for i := 0; i < len(constructs); i += 20 {
			short = append(short, constructs[i])
		}
		constructs = short
	}
	archive, err := txtar.ParseFile("testdata/project.txtar")
	if err == nil {
		project, err = os.MkdirTemp("", "migrate-test")
	}
	for _, f := range append(archive.Files, txtar.File{Name: "index/index.go", Data: []byte(constructsFile())}) {
		if err == nil {
			err = os.MkdirAll(filepath.Join(project, filepath.Dir(f.Name)), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(project, f.Name), f.Data, 0o666)
		}
	}
	if err != nil {
		panic(err)
	}
	scratchFiles, err := os.MkdirTemp("", "migrate-scratch")
	if err != nil {
		panic(err)
	}
	os.Setenv("TMPDIR", scratchFiles)
	os.Setenv("KUBECONFIG", "config")
	os.Setenv("GOWORK", "off")
	os.Setenv("GOFLAGS", "-mod=mod")
	code := m.Run()
	if left, _ := filepath.Glob(filepath.Join(scratchFiles, "indexer-gen*")); len(left) > 0 {
		fmt.Println("these files stay:", left)
		code = 1
	}
	os.RemoveAll(project)
	os.RemoveAll(scratchFiles)
	os.Exit(code)
}

// find finds the indexes of packages of the project. Tests run in parallel.
func find(t *testing.T, patterns ...string) *Report {
	t.Helper()
	t.Parallel()
	found, err := Find(t.Context(), Config{Dir: project, Patterns: patterns, Progress: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// spec begins a function that has the Widget in w.
const spec = "w := o.(*v1.Widget); "

// many has a thousand combinations of conditions.
var many = func() string {
	text := "var keys []string; "
	for i := range 10 {
		text += fmt.Sprintf("if k := w.Labels[\"%d\"]; k != \"\" { keys = append(keys, k) }; ", i)
	}
	return text + "return keys"
}()

// constructs are bodies of index functions, and the markers that replace them, or why none does.
var constructs = []struct{ body, want string }{
	// assertions
	{`return []string{o.(*v1.Widget).Spec.Node}`, "+index:name=N,path=.spec.node"},
	{`w, ok := o.(*v1.Widget); if !ok { return nil }; return []string{w.Spec.Node}`, "+index:name=N,path=.spec.node"},
	{`w, ok := o.(*v1.Widget); if !ok { panic(fmt.Sprintf("%T", o)) }; return []string{w.Spec.Node}`, "+index:name=N,path=.spec.node"},
	{`switch w := o.(type) { case *v1.Gadget: return []string{w.Name}; case *v1.Widget: return []string{w.Spec.Node} }; return nil`, "+index:name=N,path=.spec.node"},

	// absent and empty values
	{spec + `if w.Spec.Node == "" { return nil }; return []string{w.Spec.Node}`, "+index:name=N,path=.spec.node,omitempty=true"},
	{spec + `if len(w.Spec.Node) == 0 { return []string{} }; return []string{w.Spec.Node}`, "+index:name=N,path=.spec.node,omitempty=true"},
	{spec + `if w.Spec.Local == nil { return nil }; return []string{w.Spec.Local.Name}`, "+index:name=N,path=.spec.local.name"},
	{spec + `if w.Spec.Local != nil && w.Spec.Local.Name != "" { return []string{w.Spec.Local.Name} }; return nil`, "+index:name=N,path=.spec.local.name,omitempty=true"},
	{spec + `if w.Spec.Class != nil { return []string{*w.Spec.Class} }; return nil`, "+index:name=N,path=.spec.class"},
	{spec + `class := ptr.Deref(w.Spec.Class, ""); if class == "" { return nil }; return []string{class}`, "+index:name=N,path=.spec.class,omitempty=true"},
	{spec + `if w.Spec.Ref == nil { return nil }; return []string{w.Spec.Node}`, "+index:name=N,path=.spec.node,if=.spec.ref"},
	{spec + `if w.Spec.Ref != nil { return nil }; return []string{w.Spec.Node}`, "+index:name=N,path=.spec.node,if=!.spec.ref"},
	{spec + `if len(w.Spec.Names) == 0 { return nil }; return []string{w.Spec.Node}`, "+index:name=N,path=.spec.node,if=.spec.names"},

	// constants
	{spec + `if w.Spec.Kind != v1.Secret { return nil }; return []string{w.Spec.Node}`, `+index:name=N,path=.spec.node,if=.spec.kind=="Secret"`},
	{spec + `if w.Spec.Kind == "A" { return nil }; return []string{w.Spec.Node}`, `+index:name=N,path=.spec.node,if=.spec.kind!="A"`},
	{spec + `switch w.Spec.Kind { case "A": return nil; case "B": return []string{w.Spec.Node} }; return nil`, `+index:name=N,path=.spec.node,if=.spec.kind=="B"`},
	{spec + `switch w.Spec.Kind { case "A", "B": return []string{w.Spec.Node}; default: return nil }`,
		`+index:name=N,path=.spec.node,if=.spec.kind=="A" +index:name=N,path=.spec.node,if=.spec.kind=="B"`},
	{spec + `if !w.Spec.Paused { return nil }; return []string{w.Spec.Node}`, `+index:name=N,path=.spec.node,if=.spec.paused==true`},
	{spec + `if w.Spec.Paused || w.Spec.Count == 3 { return nil }; return []string{w.Spec.Node}`,
		`+index:name=N,path=.spec.node,if={.spec.count!=3,.spec.paused==false}`},
	{spec + `if w.Spec.Ref != nil && w.Spec.Ref.Kind != "A" { return []string{w.Spec.Node} }; return nil`,
		`+index:name=N,path=.spec.node,if={.spec.ref,.spec.ref.kind!="A"}`},
	{spec + `if w.Spec.Ref != nil && w.Spec.Ref.Kind == "A" { return []string{w.Spec.Node} }; return nil`,
		`+index:name=N,path=.spec.node,if=.spec.ref.kind=="A"`},
	{spec + `secret := w.Spec.Kind == "Secret"; if secret { return []string{w.Spec.Node} }; return nil`,
		`+index:name=N,path=.spec.node,if=.spec.kind=="Secret"`},

	{spec + `key := w.Name; if w.Namespace != "" { key = w.Namespace + "/" + key }; return []string{key}`,
		"+index:name=N,paths={.metadata.namespace,.metadata.name},format=\"%s/%s\""},

	// loops
	{spec + `return w.Spec.Names`, "+index:name=N,path=.spec.names"},
	{spec + `var keys []string; for _, n := range w.Spec.Names { keys = append(keys, n) }; return keys`, "+index:name=N,path=.spec.names"},
	{spec + `var keys []string; for _, n := range w.Spec.Names { if n == "" { continue }; keys = append(keys, n) }; return keys`,
		"+index:name=N,path=.spec.names,omitempty=true"},
	{spec + `keys := make([]string, 0, len(w.Spec.Refs)); for i := range w.Spec.Refs { keys = append(keys, w.Spec.Refs[i].Name) }; return keys`,
		"+index:name=N,path=.spec.refs[*].name"},
	{spec + `keys := make([]string, len(w.Spec.Refs)); for i := range w.Spec.Refs { keys[i] = w.Spec.Refs[i].Name }; return keys`,
		"+index:name=N,path=.spec.refs[*].name"},
	{spec + `var keys []string; for i := 0; i < len(w.Spec.Refs); i++ { ref := &w.Spec.Refs[i]; keys = append(keys, ref.Name) }; return keys`,
		"+index:name=N,path=.spec.refs[*].name"},
	{spec + `var keys []string; for _, r := range w.Spec.Refs { if r.Kind == v1.Secret { keys = append(keys, r.Name) } }; return keys`,
		`+index:name=N,path=.spec.refs[?(@.kind=="Secret")].name`},
	{spec + `var keys []string; for _, l := range w.Spec.Locals { if l != nil { keys = append(keys, l.Name) } }; return keys`,
		`+index:name=N,path=.spec.locals[*].name`},
	{spec + `var keys []string; for _, l := range w.Spec.ByZone { keys = append(keys, l.Mode) }; return keys`,
		`+index:name=N,path=.spec.byZone[*].mode`},
	{spec + `var keys []string; for _, l := range w.Spec.Listeners { for _, r := range l.Refs { if l.Ready && r.Kind == "A" { keys = append(keys, r.Name) } } }; return keys`,
		`+index:name=N,path=.spec.listeners[?(@.ready==true)].refs[?(@.kind=="A")].name`},
	{spec + `var keys []string; for _, l := range w.Spec.Listeners { if l.Local == nil { continue }; for _, n := range l.Names { keys = append(keys, n) } }; return keys`,
		`+index:name=N,path=.spec.listeners[?(@.local)].names`},
	{spec + `for _, c := range w.Status.Conditions { if c.Type == "Ready" { return []string{c.Status} } }; return nil`,
		`+index:name=N,path=.status.conditions[?(@.type=="Ready")].status`},
	{spec + `c := meta.FindStatusCondition(w.Status.Conditions, "Ready"); if c == nil { return nil }; return []string{c.Status}`,
		`+index:name=N,path=.status.conditions[?(@.type=="Ready")].status`},
	{spec + `keys := sets.New[string](); for _, r := range w.Spec.Refs { keys.Insert(r.Name) }; return keys.UnsortedList()`,
		"+index:name=N,path=.spec.refs[*].name"},
	{spec + `keys := sets.New[string](); for _, r := range w.Spec.Refs { keys.Insert(r.Name) }; if keys.Len() > 0 { return keys.UnsortedList() }; return nil`,
		"+index:name=N,path=.spec.refs[*].name"},
	{spec + `m := map[string]bool{}; for _, r := range w.Spec.Refs { m[r.Name] = true }; var keys []string; for k := range m { keys = append(keys, k) }; return keys`,
		"+index:name=N,path=.spec.refs[*].name"},
	{spec + `var keys []string; for _, r := range w.Spec.Refs { keys = append(keys, r.Name) }; if len(keys) == 0 { return nil }; return keys`,
		"+index:name=N,path=.spec.refs[*].name"},
	{spec + `var keys []string; if w.Spec.Node != "" { keys = append(keys, w.Spec.Node) }; if w.Spec.Other != "" { keys = append(keys, w.Spec.Other) }; return keys`,
		"+index:name=N,path=.spec.node,omitempty=true +index:name=N,path=.spec.other,omitempty=true"},
	{spec + `var keys []string; for _, r := range append(append([]v1.Ref{}, w.Spec.Refs...), w.Spec.Plain) { keys = append(keys, r.Name) }; return keys`,
		"+index:name=N,path=.spec.refs[*].name +index:name=N,path=.spec.plain.name"},

	{spec + `var keys []string; for _, r := range w.Spec.Refs { if r.Kind == "A" { if r.Name != "" { keys = append(keys, r.Name) } } }; return keys`,
		`+index:name=N,path=.spec.refs[?(@.kind=="A")].name,omitempty=true`},
	{spec + many, strings.TrimSpace(strings.Repeat("+index:name=N,path=.metadata.labels['%d'],omitempty=true ", 10))},

	// helpers
	{spec + `return nodeOf(w)`, "+index:name=N,path=.spec.node,omitempty=true"},
	{`return deep(o)`, "+index:name=N,path=.spec.node,omitempty=true"},
	{spec + `var keys []string; add := func(s string) { if s != "" { keys = append(keys, s) } }; add(w.Spec.Node); add(w.Spec.Other); return keys`,
		"+index:name=N,path=.spec.node,omitempty=true +index:name=N,path=.spec.other,omitempty=true"},
	{spec + `var keys []string; for _, r := range w.Spec.Refs { keys = append(keys, nameOf(&r)...) }; return keys`,
		`+index:name=N,path=.spec.refs[?(@.kind=="Secret")].name`},

	{spec + `var keys []string; owner := metav1.GetControllerOf(w); if owner != nil { keys = append(keys, owner.Name) }; keys = append(keys, w.Spec.Node); return keys`,
		"+index:name=N,path=.metadata.ownerReferences[?(@.controller==true)].name +index:name=N,path=.spec.node"},

	// text
	{spec + `return []string{w.Namespace + "/" + w.Spec.Node}`, "+index:ref:name=N,path=.spec.node"},
	{spec + `return []string{fmt.Sprintf("%s/%v", w.GetNamespace(), w.Spec.Node)}`, "+index:ref:name=N,path=.spec.node"},
	{spec + `return []string{types.NamespacedName{Namespace: w.Namespace, Name: w.Spec.Local.Name}.String()}`, "+index:ref:name=N,path=.spec.local"},
	{spec + `return []string{client.ObjectKey{Namespace: w.Namespace, Name: w.Spec.Plain.Name}.String()}`, "+index:ref:name=N,path=.spec.plain.name"},
	{spec + `return []string{client.ObjectKeyFromObject(w).String()}`, "+index:name=N,paths={.metadata.namespace,.metadata.name},format=\"%s/%s\""},
	{spec + `return []string{fmt.Sprintf("%s-%s", w.Spec.Node, w.Spec.Other)}`, `+index:name=N,paths={.spec.node,.spec.other},format="%s-%s"`},
	{spec + `return []string{w.Spec.Node + "\x1f" + w.Spec.Other}`, `+index:name=N,paths={.spec.node,.spec.other},format="%s\x1f%s"`},
	{spec + `return []string{"node:" + w.Spec.Node}`, `a key with text around a field: "node:…"`},
	{spec + `return []string{fmt.Sprint(w.Spec.Count)}`, "+index:name=N,path=.spec.count"},
	{spec + `ns := w.Spec.Target.Namespace; if ns == "" { ns = w.Namespace }; return []string{ns + "/" + w.Spec.Target.Name}`,
		"+index:ref:name=N,path=.spec.target"},
	{spec + `var keys []string; for _, r := range w.Spec.Refs { ns := w.Namespace; if r.Namespace != nil { ns = *r.Namespace }; keys = append(keys, ns+"/"+r.Name) }; return keys`,
		"+index:ref:name=N,path=.spec.refs[*].name,namespacePath=.spec.refs[*].namespace"},
	{spec + `var keys []string; for _, r := range w.Spec.Refs { if !r.IsSecret() { continue }; keys = append(keys, types.NamespacedName{Namespace: ptr.Deref(r.Namespace, w.Namespace), Name: r.Name}.String()) }; return keys`,
		"+index:ref:name=N,path=.spec.refs,to=Secret,absent=Secret"},

	// metadata
	{`return []string{o.GetLabels()["app"]}`, "+index:name=N,path=.metadata.labels['app'],else=\"\""},
	{spec + `if v, ok := w.Annotations["example.com/a"]; ok { return []string{v} }; return nil`, "+index:name=N,path=.metadata.annotations['example.com/a']"},
	{spec + `if w.Labels["app"] != "x" { return nil }; return []string{w.Spec.Node}`, `+index:name=N,path=.spec.node,if=.metadata.labels['app']=="x"`},
	{`owner := metav1.GetControllerOf(o); if owner == nil || owner.APIVersion != v1.GroupVersion.String() || owner.Kind != "Gadget" { return nil }; return []string{owner.Name}`,
		`+index:name=N,path=.metadata.ownerReferences[?(@.apiVersion=="example.com/v1" && @.controller==true && @.kind=="Gadget")].name`},

	// not understood
	{spec + `host, _ := os.Hostname(); return []string{w.Spec.Node, host}`, "the function depends on os.Hostname"},
	{spec + `return []string{strings.ToLower(w.Spec.Node)}`, `a key that is not made of whole fields: "q`},
	{spec + `if w.Spec.Count > 3 { return nil }; return []string{w.Spec.Node}`, `the function returns [], and +index:path=.spec.node [`},
	{spec + `if w.Spec.Node == w.Spec.Other { return nil }; return []string{w.Spec.Node}`, `and +index:path=.spec.node`},
	{spec + `return []string{w.Spec.Names[0]}`, `and +index:path=.spec.names`},
	{spec + `if url, ok := w.Spec.Data["server"]; ok { return []string{string(url)} }; return nil`, `the function returns ["`}, // of Argo CD
	{spec + `return []string{fmt.Sprintf("%s-%s/%d", w.Spec.Node, w.Spec.Other, w.Spec.Port)}`, `the function returns ["`},
	{spec + `var keys []string; for zone := range w.Spec.ByZone { keys = append(keys, zone) }; return keys`, "keys of a map"},
	{spec + `var keys []string; for _, r := range w.Spec.Refs { if len(keys) == 0 { keys = append(keys, r.Name) } }; return keys`,
		`and +index:path=.spec.refs[*].name`},
	{spec + `var keys []string; for _, r := range w.Spec.Refs { keys = []string{r.Name} }; return keys`, `and +index:path=.spec.refs[*].name`},
	{spec + `class := ptr.Deref(w.Spec.Class, "standard"); return []string{class + "-" + w.Spec.Node}`,
		`a key with text around a field: "standard-…"`},
	{spec + `if w.Spec.Other == "" { return []string{w.Namespace + "-" + w.Name} }; return []string{w.Spec.Other}`,
		`+index:name=N,path=.spec.other,omitempty=true +index:name=N,paths={.metadata.namespace,.metadata.name},if=!.spec.other,format="%s-%s"`},
	{spec + `if w.Spec.Class != nil && *w.Spec.Class == "" { return []string{w.Spec.Node} }; return nil`,
		`+index:name=N,path=.spec.node,if=.spec.class==""`},
	{spec + `return []string{fmt.Sprint(w.Spec.Count, w.Spec.Count)}`, "path .spec.count is written twice"},

	// loops that a single run does not show
	{spec + `var keys []string; done := false; mark := func() { done = true }; for _, r := range w.Spec.Refs { if !done { keys = append(keys, r.Name) }; mark() }; return keys`,
		`and +index:path=.spec.refs[*].name`},
	{spec + `seen := sets.New[string](); var keys []string; for _, r := range w.Spec.Refs { if seen.Len() > 0 { continue }; seen.Insert(r.Name); keys = append(keys, r.Name) }; return keys`,
		`and +index:path=.spec.refs[*].name`},
	{spec + `m := map[string]string{}; for _, r := range w.Spec.Refs { m[r.Name] = string(r.Kind) }; var keys []string; for _, v := range m { keys = append(keys, v) }; return keys`,
		`and +index:path=.spec.refs[*].kind`},
	{spec + `var keys []string; for i := range w.Spec.Names { keys = append(keys, w.Spec.Names[i+1]) }; return keys`, `no keys, and a panic: runtime error: index out of range [1] with length 1`},
	{spec + `n := 0; var keys []string; for range w.Spec.Names { keys = append(keys, w.Spec.Names[n]); n += 2 }; return keys`,
		`+index:name=N,path=.spec.names`},
	{spec + `for w.Spec.Kind == "A" { }; return []string{w.Spec.Node}`, `it did not return for {"spec":{`},
	{spec + `if w.Spec.Kind == "A" { os.Exit(7) }; return []string{w.Spec.Node}`, `it ends the program: exit status 7`},
	{spec + `var keys, before []string; for _, r := range w.Spec.Refs { keys = append(keys, before...); keys = append(keys, r.Name); before = append(before, string(r.Kind)) }; return keys`,
		`and +index:path=.spec.refs[*].name`},
	{spec + `var keys []string; for _, r := range w.Spec.Refs { for _, s := range w.Spec.Refs { if s.Kind == "A" { keys = append(keys, r.Name) } } }; return keys`,
		`the function returns`},
	{spec + `var keys []string; for i := 1; i < len(w.Spec.Refs); i++ { keys = append(keys, w.Spec.Refs[i].Name) }; return keys`,
		`no object that was tried has a key`},
	{spec + `var keys []string; for _, v := range w.Labels { if v != "" { keys = append(keys, v) } }; return keys`,
		"+index:name=N,path=.metadata.labels[*],omitempty=true"},
	{spec + `keys := make([]string, len(w.Spec.Refs)); for i, r := range w.Spec.Refs { if r.Kind == "A" { keys[i] = r.Name } }; return keys`,
		`the function returns`},
	{spec + `keys := make([]string, len(w.Spec.Refs)); for i, r := range w.Spec.Refs { keys[i] = r.Name; if r.Kind == "A" { keys[i] = string(r.Kind) } }; return keys`,
		`they make one index of both, and so need values of the same type`},
	{spec + `var ref *v1.Ref; for i := range w.Spec.Refs { if w.Spec.Refs[i].Name != "" { ref = &w.Spec.Refs[i]; break } }; if ref == nil || ref.Kind != "A" { return nil }; return []string{ref.Name}`,
		`and +index:path=.spec.refs[?(@.kind=="A")].name,omitempty=true`},
	{spec + `for _, r := range w.Spec.Refs { if r.Kind == "A" { if r.Group != nil { return nil }; return []string{r.Name} } }; return []string{w.Spec.Node}`,
		`the function returns`},
	{spec + `var keys []string; for _, r := range w.Spec.Targets { n := r.Name; if n == "" { n = "default" }; keys = append(keys, n) }; return keys`,
		`+index:name=N,path=.spec.targets[*].name,omitempty=true +index:name=NDefault,if=.spec.targets[?(!@.name)],value="default"`},

	{spec + `var as, all []string; for _, r := range w.Spec.Refs { all = append(all, r.Name); if r.Kind == "A" { as = append(as, r.Name) } }; if len(as) == 0 { return nil }; return all`,
		`the function returns`},
	{spec + `two := [2]string{w.Spec.Node}; return two[:]`, `and +index:path=.spec.node`},
	{spec + `return []string{fmt.Sprint(w.Spec.Named)}`, `the key "named" of all objects`},

	// what the generator refuses
	{spec + `var keys []string; for _, l := range w.Spec.ByZone { if l.Mode == "A" { keys = append(keys, l.Local.Name) } }; return keys`, `the generator refuses +index:name=N,path=.spec.byZone[?(@.mode=="A")].local.name`},
	{spec + `var keys []string; for _, n := range w.Spec.Names { if n != "A" { keys = append(keys, n) } }; return keys`, `the generator refuses +index:name=N,path=.spec.names[?(@!="A")]`},

	// values that only look like absent ones
	{spec + `if w.Spec.Node == "x" { return []string{w.Spec.Other} }; return []string{w.Spec.Node}`,
		`+index:name=N,path=.spec.node,if=.spec.node!="x" +index:name=N,path=.spec.other,if=.spec.node=="x"`},
	{spec + `if w.Spec.Ref == nil { return nil }; if w.Spec.Ref.Name == "" { return []string{w.Spec.Node} }; return []string{w.Spec.Ref.Name}`,
		"+index:name=N,path=.spec.ref.name,else=.spec.node,if=.spec.ref"},
	{spec + `if _, ok := o.(fmt.Stringer); ok { return nil }; return []string{w.Spec.Node}`, "+index:name=N,path=.spec.node"},
	{spec + `if enabled { return []string{w.Spec.Node} }; return nil`, `the variable index.enabled, which the program changes`},
	{spec + `if settings.Enabled { return []string{w.Spec.Node} }; return nil`, `the variable index.settings, which the program changes`},

	{spec + `if w.Spec.Node != "" { return []string{w.Spec.Node} }; if w.Spec.Other != "" { return []string{w.Spec.Other} }; return []string{w.Name}`,
		`+index:name=N,path=.spec.node,omitempty=true +index:name=N,path=.spec.other,else=.metadata.name,if=!.spec.node`},

	// the forms of Gardener: BackupBucketSeedNameIndexerFunc, and BackupBucketShootRefNameIndexerFunc
	{`b, ok := o.(*v1.Widget); if !ok { return []string{""} }; return []string{ptr.Deref(b.Spec.Class, "")}`, `+index:name=N,path=.spec.class,else=""`},
	{`b, ok := o.(*v1.Widget); if !ok { return []string{""} }; if b.Spec.Class == nil { return []string{""} }; return []string{*b.Spec.Class}`,
		`+index:name=N,path=.spec.class,else=""`},

	// references with a kind, and defaults
	{spec + `var keys []string; for _, r := range w.Spec.Refs { if (r.Group == nil || *r.Group == "") && r.Kind == v1.Secret { keys = append(keys, w.Namespace+"/"+r.Name) } }; return keys`,
		`+index:ref:name=N,path=.spec.refs[?(!@.group && @.kind=="Secret")].name`},
	{spec + `var keys []string; for _, r := range w.Spec.Targets { if ptr.Deref(r.Kind, "Service") == "Service" && ptr.Deref(r.Group, "") == "" { keys = append(keys, ptr.Deref(r.Namespace, w.Namespace)+"/"+r.Name) } }; return keys`,
		"+index:ref:name=N,path=.spec.targets,to=Service,absent=Service"},
	{spec + `class := ptr.Deref(w.Spec.Class, "standard"); return []string{class}`,
		`+index:name=N,path=.spec.class,else="standard"`},
	{spec + `class := ptr.Deref(w.Spec.Class, "standard"); if class == "none" { return nil }; return []string{class}`,
		`+index:name=N,path=.spec.class,else="standard",if=.spec.class!="none"`},
	{spec + `if w.Spec.Node == "" { return []string{w.Name} }; return []string{w.Spec.Node}`,
		"+index:name=N,path=.spec.node,else=.metadata.name"},
	{spec + `if w.Spec.Local == nil || w.Spec.Local.Name == "" { return []string{w.Name} }; return []string{w.Spec.Local.Name}`,
		"+index:name=N,path=.spec.local.name,else=.metadata.name"},
	{spec + `for _, c := range w.Status.Conditions { if c.Type == "Ready" { return []string{c.Status} } }; return []string{"Unknown"}`,
		`+index:name=N,path=.status.conditions[?(@.type=="Ready")].status,else="Unknown"`},
	{spec + `status := "Unknown"; if c := meta.FindStatusCondition(w.Status.Conditions, "Ready"); c != nil { status = c.Status }; return []string{status}`,
		`+index:name=N,path=.status.conditions[?(@.type=="Ready")].status,else="Unknown"`},

	{spec + `if w.Spec.Paused { return []string{"true"} }; return nil`, `+index:name=N,path=.spec.paused,if=.spec.paused==true`},
	{spec + `for _, r := range w.Spec.Refs { if r.Kind == "A" { return []string{w.Spec.Node} } }; return nil`, `a condition on some element of .spec.refs that the key does not come from`},
	{spec + `for _, r := range w.Spec.Refs { return []string{r.Name} }; return nil`, `and +index:path=.spec.refs[*].name`},
	{spec + `found := false; for _, r := range w.Spec.Refs { if r.Kind == "A" { found = true } }; if found { return nil }; return []string{w.Spec.Node}`, `a condition on some element of .spec.refs that the key does not come from`},
	{spec + `for _, r := range w.Spec.Refs { if r.Kind == "A" { return nil } }; return []string{w.Spec.Node}`, `a condition on some element of .spec.refs that the key does not come from`},
}

// constructsFile returns a package that adds the functions.
func constructsFile() string {
	var calls, functions strings.Builder
	for i, c := range constructs {
		fmt.Fprintf(&calls, "\tx.IndexField(ctx, &v1.Widget{}, \"n%d\", f%d)\n", i, i)
		fmt.Fprintf(&functions, "func f%d(o client.Object) []string {\n%s\n}\n\n", i, strings.ReplaceAll(c.body, "; ", "\n"))
	}
	imports := "\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n"
	for _, pkg := range []string{"context", "fmt", "os", "strings", "example.com/m/api/v1", "k8s.io/apimachinery/pkg/api/meta",
		"k8s.io/apimachinery/pkg/types", "k8s.io/apimachinery/pkg/util/sets", "k8s.io/utils/ptr", "sigs.k8s.io/controller-runtime/pkg/client"} {
		if pkg == "context" || strings.Contains(functions.String()+calls.String(), path.Base(pkg)+".") {
			imports += fmt.Sprintf("\t%q\n", pkg)
		}
	}
	if !strings.Contains(functions.String(), "metav1.") {
		imports = strings.Replace(imports, "metav1", "_", 1)
	}
	return "package index\n\nimport (\n" + imports + ")\n\nfunc add(ctx context.Context, x client.FieldIndexer) {\n" + calls.String() + "}\n\n" + functions.String()
}

func TestConstructs(t *testing.T) {
	answers := find(t, "./index").Indexes
	if len(answers) != len(constructs) {
		t.Fatalf("%d indexes are found, want %d", len(answers), len(constructs))
	}
	for i, a := range answers {
		if len(a.Unseen) > 0 && a.Reason == "" {
			t.Logf("%s\n\t%s", constructs[i].body, strings.Join(a.Unseen, "\n\t"))
		}
		got := strings.ReplaceAll(a.Reason, " and +index:name", " +index:name") // functions of one type whose markers differ only in omitempty
		for _, ix := range a.Indexes {
			got += " " + strings.Join(ix.Markers, " ")
		}
		got = regexp.MustCompile(`(name=N)\d+|,indexName="\w+"`).ReplaceAllString(got, "$1")
		want := constructs[i].want
		for n := 0; strings.Contains(want, "%d"); n++ {
			want = strings.Replace(want, "%d", strconv.Itoa(n), 1)
		}
		if got = strings.TrimSpace(got); got != want && (a.Reason == "" || !strings.Contains(got, want)) {
			t.Errorf("%s\n\tgot  %s\n\twant %s", constructs[i].body, got, want)
		}
	}
}

// TestReport finds the ways in which programs add and read indexes.
func TestReport(t *testing.T) {
	t.Parallel()
	var progress strings.Builder
	found, err := Find(t.Context(), Config{Dir: project, Patterns: []string{"./app"}, Progress: &progress})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := found.Text(&text); err != nil {
		t.Fatal(err)
	}
	if want := "indexer-gen: loading packages\n" +
		"indexer-gen: compiling and running the index functions of example.com/m/app, and the init functions of what it links\n"; !strings.HasPrefix(progress.String(), want) {
		t.Errorf("progress is %q, want %q", &progress, want)
	}
	want, err := os.ReadFile("testdata/report.txt")
	if got := text.String(); got != string(want) {
		if os.Getenv("UPDATE") != "" {
			err = os.WriteFile("testdata/report.txt", []byte(got), 0o666)
		}
		t.Errorf("%v; the report is\n%s", err, got)
	}
	for output, want := range map[string]string{
		"internal/index": "types.go exists", "../elsewhere": "is in no module", filepath.Join(project, "internal", "index"): "types.go exists",
	} {
		if _, err := Write(t.Context(), WriteConfig{Dir: project, Output: output}, found.Indexes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Write to %s: %v, want %s", output, err, want)
		}
	}
}

// TestHooksByPrefix has functions of Open Cluster Management that compare a name with a text that they compute.
func TestHooksByPrefix(t *testing.T) {
	for i, a := range find(t, "./ocm/index").Indexes {
		want := []string{"-pre-delete", "-pre-delete", "a key that is not made of whole fields"}[i]
		if a.Keyed == "" || !strings.Contains(a.Reason, want) {
			t.Errorf("%s: reason %q, indexes %v, notes %q; want reason %q", a.Index, a.Reason, a.Indexes, a.Unseen, want)
		}
	}
}

func TestUnseenConditions(t *testing.T) {
	const other = ": objects for which it is are not compared"
	want := map[string][]string{
		"closure": {"unseen/unseen.go:25: zones.MatchString(w.Spec.Node) was never true" + other},
		"called":  {"unseen/unseen.go:35: range zones.FindAllString(o.GetName(), -1) was never entered" + other, "unseen/unseen.go:43: case 5 was never true" + other},
		"flag":    {"conditions of the source are not watched, since that does not compile: unwatched/unwatched.go:18:"},
	}
	found := find(t, "./unseen", "./unwatched")
	compared, omitted := found.Compared([]string{"flag"})
	if len(compared) != 2 || compared[0].Index != "seen" || compared[1].Index != "flag" || len(omitted) != 2 {
		t.Errorf("%d are written, and %d are not", len(compared), len(omitted))
	}
	for _, a := range found.Indexes {
		if len(a.Unseen) != len(want[a.Index]) || a.Reason != "" {
			t.Errorf("%s has notes %q and the reason %s", a.Index, a.Unseen, a.Reason)
		}
		for i, note := range want[a.Index] {
			if i < len(a.Unseen) && !strings.HasPrefix(a.Unseen[i], note) {
				t.Errorf("%s has notes %q, want %q", a.Index, a.Unseen, note)
			}
		}
	}
}

// TestManyDefinitions has a function whose source is not read to the end.
func TestManyDefinitions(t *testing.T) {
	f := &indexFunction{watchedConditions: newTestBinaryConditions(), Mentions: &sourceMentions{definitions: make([]definition, maxDefinitions)}}
	if notes := f.unseenConditionNotes(); len(notes) > 0 {
		t.Errorf("got notes %q", notes)
	}
	f.Mentions.definitions = append(f.Mentions.definitions, definition{})
	if notes := f.unseenConditionNotes(); len(notes) != 1 || !strings.Contains(notes[0], "of 101 functions and variables that it uses, only the first 100 were read") {
		t.Errorf("got notes %q", notes)
	}
}

// TestNestedModules has modules in one of which the package is, while the other has both.
func TestNestedModules(t *testing.T) {
	answer := func(path, dir string) *Answer {
		s := &sourcePackage{Package: &packages.Package{Module: &packages.Module{Path: path, Dir: dir}}}
		of := types.NewNamed(types.NewTypeName(token.NoPos, types.NewPackage("v1", "v1"), "Widget", nil), nil, nil)
		return &Answer{Type: "v1.Widget", objectType: of, Indexes: []*Index{{Markers: []string{"+index"}}}, function: &indexFunction{copiedExpr: copiedExpr{pkg: s}}}
	}
	outer, inner := answer("m", "/m"), answer("m/api", "/m/api")
	for _, answers := range [][]*Answer{{outer, inner}, {inner, outer}} {
		if p := newAliasPackage("/m/api/index", answers); p.Path != "m/api/index" || p.ModulePath != "m/api" {
			t.Errorf("the package is %s of module %s", p.Path, p.ModulePath)
		}
	}
}

// TestReaders has a map function that asks an index, and a function that gets the name of the index as a parameter.
func TestReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles another package")
	}
	var text strings.Builder
	if err := find(t, "./mapped").Text(&text); err != nil {
		t.Fatal(err)
	}
	const want = `	after:  NewWidgetReader(c).RequestsByLocalName, in place of widgetsOf, if that only lists by the index and returns a request for each object
	and:    NewWidgetReader(c).ByLocalName(ctx, key)
	read at mapped/mapped.go:27:34
	read at mapped/mapped.go:31:64
`
	if !strings.Contains(text.String(), want) {
		t.Errorf("want\n%s in\n%s", want, &text)
	}
}

// TestFix edits a program so that it uses emitted code.
func TestFix(t *testing.T) {
	found := find(t, "./fixed")
	var text strings.Builder
	if err := found.Text(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\tafter:  NewWidgetReader(c).RequestsByLocalName, in place of widgetsOf\n" +
			"\tand:    NewWidgetReader(c).RequestsByLocalName, in place of readyOf, if that only lists by the index and returns a request for each object\n" +
			"\tand:    NewWidgetReader(c).RequestsByLocalName, in place of requestsBy\n" +
			"\tand:    NewWidgetReader(c).RequestsByLocalName, in place of typedOf\n" +
			"\tand:    NewWidgetReader(c).RequestsByLocalName, in place of secretOf, if that only lists by the index and returns a request for each object\n" +
			"\tand:    NewWidgetReader(c).RequestsByLocalName, in place of mixedOf, if that only lists by the index and returns a request for each object\n" +
			"\tand:    NewWidgetReader(c).RequestsByLocalName, in place of ownerOf, if that only lists by the index and returns a request for each object\n" +
			"\tand:    NewWidgetReader(c).RequestsByLocalName, in place of fixedBy, if that only lists by the index and returns a request for each object\n" +
			"\tand:    NewWidgetReader(c).ByLocalName(ctx, key)\n",
		"\talso used at fixed/fixed.go:81:62: keep the function for that, or as +index:func if both must agree\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("want\n%s in\n%s", want, &text)
		}
	}
	p := newAliasPackage(filepath.Join(project, "fixed", "index"), found.Indexes)
	var diff strings.Builder
	texts := map[string][]byte{}
	left, err := p.useEmittedIndexes(t.Context(), project, texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) != 1 {
		t.Errorf("%d files are edited, want fixed.go alone", len(texts))
	}
	if err := writeFilesOrDiff(WriteConfig{Dir: project, Diff: &diff}, "", texts); err != nil {
		t.Fatal(err)
	}
	if want := []string{
		`fixed/fixed.go:53:14: the registration of "other" stays: the variable byOther would be unused without it`,
		`fixed/zz_generated.go:13:21: the registration of "generated" stays: its file is generated`,
		"fixed/fixed.go:57:1: nodesOf stays: tests use it, as at fixed/fixed_test.go:10:5",
	}; !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	elsewhere := &sourcePackage{Package: &packages.Package{Module: &packages.Module{Path: "example.com/other"}}}
	if got := p.reasonNotToEdit(elsewhere, token.NoPos); got != "example.com/m/fixed/index is in another module" {
		t.Errorf("a package of another module is edited: %q", got)
	}
	want, err := os.ReadFile("testdata/fixed.diff")
	if got := diff.String(); got != string(want) {
		if os.Getenv("UPDATE") != "" {
			err = os.WriteFile("testdata/fixed.diff", []byte(got), 0o666)
		}
		t.Errorf("%v; the difference is\n%s", err, got)
	}
}

// TestReasonToKeep has functions that no type-checked file of a package uses.
func TestReasonToKeep(t *testing.T) {
	const plain, inOther = "package p\n\nfunc byNode() {}\n", "it is also used in other"
	for _, row := range []struct{ compiled, ignored, assembly, want string }{
		{plain, "", "", ""},
		{"package p\n\n// byNode is a function.\n// Note: one.\nfunc byNode() {}\n", "package p\n\nvar byNodes int\n", "", ""},
		{plain + "\n//go:linkname byNode g\n", "", "", "it is also used in p.go"},
		{plain, "package p\n\nvar x = byNode\n", "", inOther},
		{plain, "", "CALL ·byNode(SB)\n", inOther},
		{"// Code generated by a program. DO NOT EDIT.\n\n" + plain, "", "", "its file is generated"},
		{"package p\n\n// +kubebuilder:rbac\nfunc byNode() {}\n", "", "", "its comment has a marker or a directive"},
		{"package p\n\n//go:noinline\nfunc byNode() {}\n", "", "", "its comment has a marker or a directive"},
	} {
		p, dir := newProgram(t.Context(), ""), t.TempDir()
		syntax, err := parser.ParseFile(p.fset, "p.go", row.compiled, parser.ParseComments)
		name, other := filepath.Join(dir, "p.go"), filepath.Join(dir, "other")
		if err = errors.Join(err, os.WriteFile(name, []byte(row.compiled), 0o666), os.WriteFile(other, []byte(row.ignored+row.assembly), 0o666)); err != nil {
			t.Fatal(err)
		}
		s := &sourcePackage{Package: &packages.Package{Syntax: []*ast.File{syntax}, GoFiles: []string{name}, OtherFiles: []string{other}}, program: p}
		if row.ignored != "" {
			s.IgnoredFiles, s.OtherFiles = s.OtherFiles, nil
		}
		if got := s.reasonToKeep(syntax.Decls[0].(*ast.FuncDecl)); got != row.want {
			t.Errorf("%s with %s%s: got %q, want %q", row.compiled, row.ignored, row.assembly, got, row.want)
		}
	}
}

func TestLoggingPackage(t *testing.T) {
	for name, want := range map[string]bool{
		"k8s.io/klog/v2.Infof":                                true,
		"(github.com/go-logr/logr.Logger).Info":               true,
		"(*go.uber.org/zap.SugaredLogger).Infow":              true,
		"go.uber.org/zap/zapcore":                             true,
		"sigs.k8s.io/controller-runtime/pkg/log":              true,
		"func() example.com/m/log.Logger":                     true,
		"knative.dev/pkg/logging.FromContext":                 true,
		"github.com/kube-logging/logging-operator/pkg/sdk":    false,
		"github.com/o/logging-operator/api/logging/v1.Output": false,
		"example.com/m/login.User":                            false,
		"example.com/m/zapier":                                false,
	} {
		if got := loggingPackage.MatchString(name); got != want {
			t.Errorf("%s: got %t, want %t", name, got, want)
		}
	}
}

func TestConfigurationReader(t *testing.T) {
	for name, want := range map[string]bool{
		"os.Getenv":                           true,
		"os.ReadFile":                         true,
		"os.Hostname":                         true,
		"os.IsNotExist":                       false,
		"flag.String":                         true,
		"(*flag.FlagSet).String":              true,
		"github.com/spf13/viper.GetString":    true,
		"(*github.com/spf13/viper.Viper).Get": true,
		"k8s.io/utils/os.Getenv":              false,
	} {
		if got := configurationReader.MatchString(name); got != want {
			t.Errorf("%s: got %t, want %t", name, got, want)
		}
	}
}

func TestEditablePackage(t *testing.T) {
	local, version := &packages.Module{}, &packages.Module{Version: "v1.0.0"}
	for _, row := range []struct {
		module *packages.Module
		file   string
		want   bool
	}{
		{nil, "/go/src/fmt/print.go", false},
		{&packages.Module{Main: true}, "/src/m@feature/a.go", true},
		{&packages.Module{}, "/go/pkg/mod/m@v1.0.0/a.go", false},
		{&packages.Module{Replace: version}, "/go/pkg/mod/m@v1.0.0/a.go", false},
		{&packages.Module{Replace: local}, "/src/stubs/a.go", true},
		{&packages.Module{Replace: local}, "/src/vendor/m/a.go", false},
	} {
		s := &sourcePackage{Package: &packages.Package{Module: row.module}}
		if got := s.isEditable(row.file); got != row.want {
			t.Errorf("%s: got %t, want %t", row.file, got, row.want)
		}
	}
}

// TestMoved finds functions that stand in unusual places, and tells which can stand in another package.
func TestMoved(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles another package")
	}
	found := find(t, "./moved")
	got := ""
	for _, a := range found.Indexes {
		got += fmt.Sprintf("%s %v %t %q\n", a.Index, a.Needless, len(a.Indexes) > 0, strings.Join(strings.Fields(a.function.Moved), " "))
	}
	const want = `declared false true "func(o any) ([]string, error) { w := o.(*apiv1.Widget) return []string{types.NamespacedName{Namespace: w.Namespace, Name: w.Spec.Node}.String()}, nil }"
prefixed false false ""
own false true "func(o any) ([]string, error) { return []string{o.(*apiv1.Widget).Spec.Other}, nil }"
method false true ""
closure false true "func(o any) ([]string, error) { return []string{class(o.(*apiv1.Widget)) + dash}, nil }"
element false true ""
`
	if got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	first, closure := found.Indexes[0].function, found.Indexes[4].function
	if first.MovedImports["k8s.io/apimachinery/pkg/types"] != "types" || len(first.Imports) != 0 || len(closure.Before) != 2 {
		t.Errorf("imports %v and %v, declarations %q", first.MovedImports, first.Imports, closure.Before)
	}
}

// TestBrokenPackages names what does not compile, each reason once, and reads the other packages.
func TestBrokenPackages(t *testing.T) {
	if _, err := Find(t.Context(), Config{Dir: project, Patterns: []string{"./broken"}, Progress: io.Discard}); err == nil {
		t.Error("no error if nothing else is found")
	}
	found := find(t, "./named", "./broken", "./imports/...", "./unlinked")
	if len(found.Indexes) != 2 || found.Indexes[1].Reason != "not run, since its package does not compile" {
		t.Errorf("%d are found", len(found.Indexes))
	}
	for _, want := range []string{"package example.com/m/broken does not compile", "package example.com/m/unlinked does not compile"} {
		if strings.Count(found.Broken.Error(), want) != 1 || strings.Contains(found.Broken.Error(), "imports") {
			t.Errorf("%v, want %s", found.Broken, want)
		}
	}
}

// TestInitFunctions runs init functions that end the program, do not return, or start a process that holds its output,
// and functions of a program whose main, and of a package whose tests, do not run.
func TestInitFunctions(t *testing.T) {
	want := map[string]string{"ends": "not run, since the init functions of what its package links end the program: exit status 3", "output": "", "main": ""}
	patterns := []string{"./ends", "./output"}
	if !testing.Short() {
		patterns = append(patterns, ".", "./hangs")
		want["hangs"] = "not run, since the init functions of what its package links do not return in 30s"
	}
	for _, a := range find(t, patterns...).Indexes {
		if !strings.HasPrefix(a.Reason, want[a.Index]) || (a.Reason == "") != (want[a.Index] == "") {
			t.Errorf("%s: reason %q, want %q", a.Index, a.Reason, want[a.Index])
		}
	}
}

// A canceler cancels when a line says that functions compile and run.
type canceler struct{ cancel context.CancelFunc }

func (c canceler) Write(line []byte) (int, error) {
	if strings.Contains(string(line), "compiling") {
		c.cancel()
	}
	return len(line), nil
}

// TestInterrupt interrupts a run, after which TestMain finds no files.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Find(ctx, Config{Dir: project, Patterns: []string{"./unseen"}, Progress: canceler{cancel}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v", err)
	}
}

// TestToolsFrom has a project whose generator stands in tools/go.mod.
func TestToolsFrom(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "internal", "index")
	if got := relativeToolsModFile(at, dir); got != "" {
		t.Errorf("got %q without tools/go.mod", got)
	}
	tools := filepath.Join(dir, "tools", "go.mod")
	if err := errors.Join(os.Mkdir(filepath.Dir(tools), 0o777), os.WriteFile(tools, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	if got := relativeToolsModFile(at, dir); got != "" {
		t.Errorf("got %q for the module of other tools", got)
	}
	if err := os.WriteFile(tools, []byte("module m\n\ntool "+generatorModule+"/cmd/indexer-gen\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	want := "go run -mod=mod -modfile=../../tools/go.mod github.com/indexer-gen/indexer-gen/cmd/indexer-gen"
	if got := (&typeAliasPackage{Tools: relativeToolsModFile(at, dir)}).Command(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRenamedIndex runs tests that were written for an index which has another name by now: they say which there are.
func TestRenamedIndex(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles another package")
	}
	t.Parallel()
	of := &indexFunction{learnedAnswer: learn.Answer{Rows: []learn.Row{{Object: []byte(`{"metadata":{"name":"a"}}`), Keys: []string{"a"}}}}}
	var answers []*Answer
	for _, name := range []string{"a", "b"} {
		answers = append(answers, &Answer{Target: ClientGo, Index: name, Alias: "Widget", function: of, Indexes: []*Index{{Method: "By" + name, Field: name}}})
	}
	at := filepath.Join(project, "renamed")
	text, err := goSource("tests", &typeAliasPackage{Path: "m/renamed", Targets: []model.Target{"client-go"}, Answers: answers})
	if err = errors.Join(err, os.WriteFile(filepath.Join(at, "zz_migrate_test.go"), text, 0o666)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-v", ".")
	cmd.Dir = at
	out, _ := cmd.CombinedOutput()
	for _, want := range []string{`there is no index "a"; there are ["b"]`, "--- FAIL: TestMigratedWidgetBya", "--- PASS: TestMigratedWidgetByb"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("want %s in\n%s", want, out)
		}
	}
}

// TestNames has packages whose names and paths are alike.
func TestNames(t *testing.T) {
	p := &program{nameByPackagePath: map[string]string{}, packagePathByName: map[string]string{}}
	got := []string{p.uniqueImportName("k8s.io/apimachinery/pkg/api/errors"), p.uniqueImportName("errors"), p.uniqueImportName("errors"), p.uniqueImportName("k8s.io/apimachinery/pkg/api/errors")}
	if !slices.Equal(got, []string{"errors", "errorsx", "errorsx", "errors"}) {
		t.Errorf("names are %q", got)
	}
}

// TestIndexNames has names of indexes of one type.
func TestIndexNames(t *testing.T) {
	for _, names := range [][2]string{
		{"backendtlspolicy-targetref backendtrafficpolicy-targetref", "BackendtlspolicyTargetref BackendtrafficpolicyTargetref"},
		{"spec.claim.ref spec.pool.ref spec.node", "ClaimRef PoolRef Node"},
		{".spec.local.name .metadata.uid", "LocalName MetadataUID"},
		{"by_node", "Node"},
	} {
		var got []string
		for _, index := range strings.Fields(names[0]) {
			got = append(got, distinctNameOfLastSteps(index, strings.Fields(names[0])))
		}
		if strings.Join(got, " ") != names[1] {
			t.Errorf("names of %s are %q, want %s", names[0], got, names[1])
		}
	}
}

func TestReplaceToMissingDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26.0\n\nrequire k8s.io/utils v0.0.0\n\nreplace k8s.io/utils => ./gone\n",
		"m.go":   "package m\n\nimport _ \"k8s.io/utils/ptr\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Find(t.Context(), Config{Dir: dir, Patterns: []string{"."}, Progress: io.Discard})
	if err == nil || !strings.Contains(err.Error(), "gone") || strings.Contains(err.Error(), "invalid package name") {
		t.Errorf("got error %v", err)
	}
}

// TestImportOfMissingModule has a package that lacks types of an import, and has no error of its own.
func TestImportOfMissingModule(t *testing.T) {
	gone := &packages.Package{PkgPath: "example.com/gone", Errors: []packages.Error{{Msg: "the proxy does not have it"}}}
	p := newProgram(t.Context(), "")
	p.requestedPackages = []*sourcePackage{{Package: &packages.Package{PkgPath: "m", IllTyped: true, Imports: map[string]*packages.Package{"gone": gone}}}}
	if p.findRegistrationsAndReads(); len(p.compileErrors) != 1 || !strings.Contains(p.compileErrors[0].Error(), "the proxy does not have it") {
		t.Errorf("got errors %v", p.compileErrors)
	}
}
