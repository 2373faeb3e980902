// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/indexer-gen/indexer-gen/generator"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// ObjectMeta has the fields of metav1.ObjectMeta that a Gadget uses.
type ObjectMeta metadata

// randomMarker returns a marker of any form that possibleRewrites can give.
func randomMarker(l *learner) *marker {
	var values, structs []string
	for _, s := range l.mentionedFields {
		if slices.Contains([]jsonClass{textClass, boolClass, numberClass}, s.jsonClass) && s.path != objectNamespacePath && s.path != ".metadata.name" {
			values = append(values, s.path)
			if holder, ok := strings.CutSuffix(s.path, ".name"); ok {
				structs = append(structs, holder)
			}
		}
	}
	place, holder := randomElement(l.rand, values), randomElement(l.rand, structs)
	m := &marker{learner: l, keyLiterals: []string{"", ""}, keyPaths: []string{place}}
	var conds []condition
	wants := func(path, literal string) {
		if s := l.fieldByPath[path]; s != nil {
			c := newCondition(s)
			c.isComparison, c.literal = true, literal
			conds = append(conds, c)
		}
	}
	switch l.rand.IntN(6) {
	case 0:
		other := randomElement(l.rand, values)
		if m.elsePathOrLiteral = map[jsonClass]string{textClass: `"standard"`, numberClass: "3", boolClass: "true"}[l.fieldByPath[place].jsonClass]; l.fieldByPath[other].jsonClass == l.fieldByPath[place].jsonClass && l.rand.IntN(2) > 0 {
			m.elsePathOrLiteral = other
		}
	case 1:
		m.keyPaths, m.keyLiterals = []string{place, randomElement(l.rand, values)}, []string{"", randomElement(l.rand, []string{"/", ":", "%-"}), ""}
	case 2:
		m.keyLiterals, m.refNamespacePath = []string{"", "/", ""}, objectNamespacePath
	case 3:
		m.keyLiterals, m.keyPaths, m.refNamespacePath = []string{"", "/", ""}, []string{holder + ".name"}, holder+".namespace"
	case 4:
		m.keyLiterals, m.keyPaths, m.refNamespacePath = []string{"", "/", ""}, []string{holder + ".name"}, holder+".namespace"
		wants(holder+".kind", "Secret")
		wants(holder+".group", randomElement(l.rand, []string{"", "g"}))
	case 5:
		m.keyPaths, m.keyLiterals = nil, []string{randomElement(l.rand, []string{"true", "busy"})}
	}
	facts := l.conditionsTrueFor(l.addSingleElementSample(l.randomStateChooser(nil)))
	for range l.rand.IntN(3) {
		c := randomElement(l.rand, facts)
		if c.elementPath == "" || slices.Contains(elementPathsOf(m.keyPaths...), c.elementPath) {
			conds = append(conds, c)
		}
	}
	m = m.copyWith(func(m *marker) { m.conditions = conds })
	if to := m.withTargetFromConditions(); to != nil && l.rand.IntN(3) > 0 {
		return to
	}
	return m
}

// TestModelAgreesWithEmittedCode compares keys of random markers with those of the code that is emitted for them.
func TestModelAgreesWithEmittedCode(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles emitted code for three targets")
	}
	seed := rand.Uint64()
	f := &Function{Fields: map[string]bool{}, Words: map[string][]string{"kind": {"Secret"}, "group": {"g"}, "": {"standard", "3"}}, Keys: []string{"app"}}
	for _, of := range []any{ObjectMeta{}, Target{}, Plain{}, Listener{}, GadgetSpec{}, Gadget{}} {
		for i := range reflect.TypeOf(of).NumField() {
			f.Fields[reflect.TypeOf(of).Field(i).Name] = true
		}
	}
	f.Call = func(any) ([]string, error) { return nil, nil }
	l := f.newLearnerWithFullSample(new(Gadget))
	l.rand = rand.New(rand.NewPCG(seed, 1))
	var markers []*marker
	for len(markers) < 40 {
		m := randomMarker(l)
		known := slices.ContainsFunc(markers, func(o *marker) bool { return o.unnamedMarkerText() == m.unnamedMarkerText() })
		if !known && m.inexpressibleError() == "" && (!m.isReference() || l.fieldByPath[m.keyPaths[0]].jsonClass == textClass) {
			markers = append(markers, m)
		}
	}
	l.addRandomSamples()
	dir := t.TempDir()
	if markers = emit(t, dir, markers); len(markers) < 20 {
		t.Fatalf("seed %d: the generator refuses all but %d markers", seed, len(markers))
	}
	objects := slices.DeleteFunc(l.randomSamples, func(s *sample) bool { return s.recordedRootValues[objectNamespacePath].valueText() == "" })[:1000]
	var texts []json.RawMessage
	for _, s := range objects {
		texts = append(texts, s.objectJSON)
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(string(in))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, string(errors.Join(err).(interface{ Unwrap() []error }).Unwrap()[0].(*exec.ExitError).Stderr))
	}
	var keys map[string][][]string
	if err := json.Unmarshal(out, &keys); err != nil {
		t.Fatal(err)
	}
	for i, m := range markers {
		for _, target := range []string{"native", "client-go", "controller-runtime"} {
			if why := differs(m, objects, keys[fmt.Sprintf("%s n%d", target, i)]); why != "" {
				t.Errorf("seed %d, %s, %s: %s", seed, target, m.unnamedMarkerText(), why)
				break
			}
		}
	}
}

// differs returns the first object for which the model differs from emitted code, and how, or "".
func differs(m *marker, objects []*sample, keys [][]string) string {
	for n, s := range objects {
		got, want := slices.Compact(slices.Sorted(slices.Values(keys[n]))), markerKeys([]*marker{m}, s)
		if !slices.Equal(got, want) {
			return fmt.Sprintf("the code returns %q, and the model %q, for %s", got, want, s.objectJSON)
		}
	}
	return ""
}

// emit writes a program with code for markers, and returns those that the generator does not refuse.
func emit(t *testing.T, dir string, markers []*marker) []*marker {
	t.Helper()
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	example := filepath.Join(root, "examples", "controller-runtime")
	write("go.mod", strings.NewReplacer("=> ../../", "=> "+root+"/", "=> ../", "=> "+root+"/examples").Replace(read(example+"/go.mod")))
	write("go.sum", read(example+"/go.sum"))
	types := strings.Replace(read("gadget_test.go"), "package learn", "// +groupName=example.com\n// +versionName=v1\npackage main\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"", 1)
	types = strings.Replace(types, "\tObjectMeta `", "\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `", 1)
	archive, err := txtar.ParseFile("testdata/emitted.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		write(f.Name, string(f.Data))
	}
	before, after, _ := strings.Cut(types, "type Gadget struct")
	for {
		text := before
		for i, m := range markers {
			text += "// " + strings.Replace(m.unnamedMarkerText(), "NAME", fmt.Sprintf("N%d", i), 1) + m.valueOrFormatOption() + fmt.Sprintf(",indexName=\"n%d\"\n", i)
		}
		write("types.go", text+"type Gadget struct"+after)
		_, err := generator.Run(t.Context(), generator.Config{Dir: dir, Targets: []model.Target{"native", "client-go", "controller-runtime"}})
		if err == nil {
			break
		}
		var refused generator.Diagnostics
		if !errors.As(err, &refused) {
			t.Fatal(err)
		}
		first := strings.Count(before, "\n") + 1
		gone := map[int]bool{}
		for _, d := range refused {
			if i := d.Pos.Line - first; i >= 0 && i < len(markers) {
				t.Logf("the generator refuses %s: %s", markers[i].unnamedMarkerText(), d.Message)
				gone[i] = true
			}
		}
		if len(gone) == 0 {
			t.Fatal(err)
		}
		var rest []*marker
		for i, m := range markers {
			if !gone[i] {
				rest = append(rest, m)
			}
		}
		markers = rest
	}
	native := "package main\n\nfunc addNative(all fields) {\n"
	for i, m := range markers {
		format := ""
		if len(m.keyPaths) > 1 {
			format = strings.ReplaceAll(strings.ReplaceAll(strings.Join(m.keyLiterals, "\x00"), "%", "%%"), "\x00", "%s")
		}
		by := "By"
		if len(m.keyPaths) == 0 {
			by = ""
		}
		native += fmt.Sprintf("\tall[\"native n%d\"] = native(IndexGadget%sN%[1]d, %[3]q)\n", i, by, format)
	}
	write("native.go", native+"}\n")
	return markers
}
