// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package targets

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	// What the test runs, so that a cached result is not used when it changes.
	_ "github.com/indexer-gen/indexer-gen/runtime/lister"
)

// rootTypes is the number of types: each costs a second to compile.
const rootTypes = 12

var seed = flag.Uint64("seed", 1, "the seed of random types")

// field is a field of a made-up struct.
type field struct {
	name, json string
	of         string // the Go type
	list, each bool   // a list or a map
	inner      *shape // the struct that it is, points to or contains
}

// shape is a made-up struct.
type shape struct {
	name   string
	fields []field
	refers bool
	kinded bool
	group  string // the field with its group

	meanings map[string]meaning // of a struct that refers
}

// meaning is what an absent field of a reference means. agree_test.go.txt has the same type.
type meaning struct {
	Pointer, Required bool
	Default           string
}

func (m meaning) String() string { return fmt.Sprintf("%t, %t, %q", m.Pointer, m.Required, m.Default) }

// made makes up types and markers.
type made struct {
	*rand.Rand
	shapes  []*shape
	types   bytes.Buffer
	table   bytes.Buffer
	sources int
}

func (m *made) one(of ...string) string { return of[m.IntN(len(of))] }

func (m *made) text() string { return m.one("string", "*string", "Name", "*Name") }

var defaults = map[string][]string{
	"kind":       {"Secret", "Node", "Gateway", "Class"},
	"group":      {"gateway.networking.k8s.io", "example.com"},
	"apiGroup":   {"gateway.networking.k8s.io", "example.com"},
	"apiVersion": {"v1", "gateway.networking.k8s.io/v1", "example.com/v1"},
	"namespace":  {"own", "x"},
}

// referring makes up a struct that refers. Some of its fields may be in an embedded struct.
func (m *made) referring(i int) *shape {
	s := &shape{name: fmt.Sprintf("Ref%d", i), refers: true, kinded: m.IntN(3) > 0, meanings: map[string]meaning{}}
	names := []string{"name"}
	if m.IntN(2) == 0 {
		names = append(names, "namespace")
	}
	if s.kinded {
		names = append(names, "kind")
		for _, group := range []string{"group", "apiGroup", "apiVersion"} {
			if m.IntN(3) == 0 {
				names = append(names, group)
				if s.group == "" {
					s.group = group
				}
			}
		}
	}
	var own, inlined strings.Builder
	for _, name := range names {
		to := &own
		if m.IntN(4) == 0 {
			to = &inlined
		}
		of, tag, means := m.text(), name, meaning{}
		if m.IntN(2) == 0 {
			tag += ",omitempty"
		}
		means.Pointer = of[0] == '*'
		means.Required = !means.Pointer && tag == name
		if choices := defaults[name]; choices != nil && m.IntN(3) == 0 {
			value := m.one(choices...)
			fmt.Fprintf(to, "\t// %s%q\n", m.one("+kubebuilder:default=", "+kubebuilder:default:=", "+default="), value)
			if !means.Required {
				means.Default = value
			}
		}
		s.meanings[name] = means
		fmt.Fprintf(to, "\t%s %s `json:%q`\n", strings.ToUpper(name[:1])+name[1:], of, tag)
	}
	fmt.Fprintf(&m.types, "type %sInlined struct {\n%s}\n\ntype %s struct {\n\t%s%sInlined `json:\",inline\"`\n%s}\n\n",
		s.name, inlined.String(), s.name, m.one("", "*"), s.name, own.String())
	return s
}

// nested makes up a struct of values, references and the structs before it.
func (m *made) nested(i int) *shape {
	s := &shape{name: fmt.Sprintf("Struct%d", i)}
	for j := range 4 + m.IntN(5) {
		f := field{name: fmt.Sprintf("F%d", j), json: fmt.Sprintf("f%d", j)}
		switch n := m.IntN(8); {
		case n < 2:
			f.of = m.text()
		case n == 2:
			f.of = m.one("bool", "*bool")
		case n == 3:
			f.of = m.one("int32", "*int32")
		case n == 4:
			f.of = m.one("[]string", "map[string]string")
			f.list, f.each = f.of[0] == '[', true
		default:
			f.inner = m.shapes[m.IntN(len(m.shapes))]
			around := m.one("", "*", "[]", "[]*", "map[string]", "map[string]*")
			f.of = around + f.inner.name
			f.list, f.each = strings.HasPrefix(around, "["), strings.HasPrefix(around, "[") || around != "" && around != "*"
		}
		s.fields = append(s.fields, f)
	}
	fmt.Fprintf(&m.types, "type %s struct {\n", s.name)
	for _, f := range s.fields {
		fmt.Fprintf(&m.types, "\t%s %s `json:%q`\n", f.name, f.of, f.json)
	}
	m.types.WriteString("}\n\n")
	return s
}

// path makes up a path below a struct. It returns the last field, which has a value or refers.
func (m *made) path(s *shape) (string, *field) {
	path := ".spec"
	for {
		f := &s.fields[m.IntN(len(s.fields))]
		path += "." + f.json
		end := f.inner == nil || f.inner.refers
		switch filter := m.filter(f); {
		case filter != "" && !end:
			path += filter
		case f.each && (!end || !f.list || m.IntN(2) == 0):
			path += "[*]"
		}
		if end {
			return path, f
		}
		s = f.inner
	}
}

// condition makes up a condition on the fields of a struct, and its source for the table.
func (m *made) condition(s *shape) (text, source string) {
	path := ".spec"
	for {
		f := &s.fields[m.IntN(len(s.fields))]
		path += "." + f.json
		pointer := f.of[0] == '*'
		literals := []string{"0", "1", "2"}
		switch {
		case f.each, f.inner != nil && pointer && m.IntN(3) == 0:
			literals = nil
		case f.inner != nil && f.inner.refers:
			path = strings.TrimSuffix(path, "."+f.json)
			continue
		case f.inner != nil:
			s = f.inner
			continue
		case strings.Contains(f.of, "bool"):
			literals = []string{"true", "false"}
		case !strings.Contains(f.of, "int32"):
			literals = []string{"a", "b", ""}
			if m.IntN(3) == 0 {
				literals = nil
			}
		}
		not := m.IntN(3) == 0
		if literals == nil {
			text = strings.Repeat("!", map[bool]int{true: 1}[not]) + path
			return text, fmt.Sprintf("{path: %q, not: %t, sized: %t}", path, not, f.each)
		}
		literal := m.one(literals...)
		shown := literal
		if len(literals[2%len(literals)]) == 0 {
			shown = fmt.Sprintf(m.one("%q", "'%s'"), literal)
		}
		text = path + map[bool]string{true: "!=", false: "=="}[not] + shown
		return text, fmt.Sprintf("{path: %q, not: %t, compares: true, literal: %q}", path, not, literal)
	}
}

// filter makes up a filter of a list of structs, or "".
func (m *made) filter(of *field) string {
	if !of.list || of.inner == nil || of.inner.refers || m.IntN(3) == 0 {
		return ""
	}
	name, s := "", of.inner
	for range 10 {
		f := &s.fields[m.IntN(len(s.fields))]
		switch {
		case f.each, f.inner != nil && f.inner.refers:
		case strings.Contains(f.of, "int32"):
			return fmt.Sprintf("[?(@.%s%s%s%d)]", name, f.json, m.one("==", "!="), m.IntN(3))
		case f.inner != nil:
			name, s = name+f.json+".", f.inner
		case strings.Contains(f.of, "bool"):
			return fmt.Sprintf("[?(@.%s%s==%s)]", name, f.json, m.one("true", "false"))
		default:
			return fmt.Sprintf("[?(@.%s%s%s%q)]", name, f.json, m.one("==", "!="), m.one("a", "b"))
		}
	}
	return ""
}

// root makes up a root type, and prints its types, markers and its row of the table.
func (m *made) root(i int) {
	spec := m.nested(100 + i)
	name := fmt.Sprintf("T%d", i)
	var markers, native, sources strings.Builder
	used := map[string]bool{}
	for n := range 8 {
		index, kinds := fmt.Sprintf("N%d", n), ""
		for range 1 + m.IntN(3) {
			marker, source, kind := m.marker(spec)
			once, _, _ := strings.Cut(strings.TrimSuffix(marker, ",omitempty=true"), ",absent=")
			once, _, _ = strings.Cut(once, ",else=")
			condition, if1 := m.condition(spec)
			other, if2 := m.condition(spec)
			switch m.IntN(4) {
			case 0:
				marker, source = marker+",if="+condition, strings.TrimSuffix(source, "}, ")+", conds: []cond{"+if1+"}}, "
			case 1:
				field := func(s string) string { return strings.Split(strings.Trim(s, "!"), "=")[0] }
				if strings.TrimSuffix(field(condition), "!") == strings.TrimSuffix(field(other), "!") {
					continue // they may exclude each other, which is an error
				}
				marker += ",if={" + condition + "," + other + "}"
				source = strings.TrimSuffix(source, "}, ") + ", conds: []cond{" + if1 + ", " + if2 + "}}, "
			}
			if used[once] || kinds != "" && kinds != kind {
				continue
			}
			used[once], kinds = true, kind
			fmt.Fprintf(&markers, "// +index%s\n", strings.Replace(marker, "NAME", index, 1))
			if !strings.Contains(sources.String(), fmt.Sprintf("%q", index)) {
				fmt.Fprintf(&sources, "\t\t\t%q: {", index)
				fmt.Fprintf(&native, "\t\t\t%q: func(o client.Object) []string { return texts(Index%sBy%s(nil, o.(*%s))) },\n",
					index, name, index, name)
			}
			sources.WriteString(source)
			m.sources++
		}
		if kinds != "" {
			sources.WriteString("},\n")
		}
	}
	fmt.Fprintf(&m.types, `%stype %s struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata\"`"+`
	Spec %s `+"`json:\"spec\"`"+`
}

func (t *%s) DeepCopyObject() runtime.Object { return t }

type %sList struct {
	metav1.TypeMeta `+"`json:\",inline\"`"+`
	metav1.ListMeta `+"`json:\"metadata\"`"+`
	Items []%s `+"`json:\"items\"`"+`
}

func (t *%sList) DeepCopyObject() runtime.Object { return t }

`, markers.String(), name, spec.name, name, name, name, name)
	fmt.Fprintf(&m.table, `	{
		new: func() client.Object { return new(%s) }, cached: %sIndexers, add: Add%sIndexes,
		native: map[string]func(client.Object) []string{
%s		},
		sources: map[string][]source{
%s		},
	},
`, name, name, name, native.String(), sources.String())
}

// marker makes up a marker without its name, its source for the table, and what sources of one index share.
func (m *made) marker(spec *shape) (marker, source, kind string) {
	path, f := m.path(spec)
	isText := strings.Contains(f.of, "string") || strings.Contains(f.of, "Name")
	if m.IntN(8) == 0 {
		path, isText, f = m.one(".metadata.labels['a']", ".metadata.annotations['b']"), true, &field{of: "string"}
	}
	if f.inner == nil && (!isText || m.IntN(2) == 0) {
		omit := m.IntN(2) == 0
		kind = strings.TrimLeft(regexp.MustCompile(`map\[string\]|\[\]`).ReplaceAllString(f.of, ""), "*")
		other := ""
		if !omit {
			other = m.other(spec, path, f, kind)
		}
		marker, source = ":name=NAME,path="+path, fmt.Sprintf("{path: %q, omitempty: %t, other: %q}, ", path, omit, other)
		if omit {
			marker += ",omitempty=true"
		} else if other != "" {
			marker += ",else=" + other
		}
		return marker, source, kind
	}
	to := m.one("Secret", "Node", "Gateway.gateway.networking.k8s.io", "Class.example.com")
	cluster := to == "Node" || to == "Class.example.com"
	option := ",to=" + to
	if strings.Contains(to, ".") {
		option += map[bool]string{true: ",scope=Cluster", false: ",scope=Namespaced"}[cluster]
	}
	if (f.inner == nil || !f.inner.kinded) && m.IntN(2) == 0 {
		to, cluster, option = "", m.IntN(2) == 0, ""
		if cluster {
			option = ",scope=Cluster"
		}
	}
	groupIn, means, absent := "", map[string]meaning{}, ""
	if f.inner != nil {
		groupIn, means = f.inner.group, f.inner.meanings
		group := means[groupIn]
		if to != "" && f.inner.kinded && means["kind"].Default == "" && group.Default == "" && !group.Required && m.IntN(2) == 0 {
			absent = m.one("Secret", "Node", "Gateway.gateway.networking.k8s.io", "Class.example.com")
			option += ",absent=" + absent
		}
	}
	toKind, group, _ := strings.Cut(to, ".")
	other := ""
	if f.inner == nil {
		other = m.other(spec, path, f, "")
		option += strings.TrimSuffix(",else="+other, ",else=")
	}
	shared, _, _ := strings.Cut(option, ",else=")
	return ":ref:name=NAME,path=" + path + option,
		fmt.Sprintf("{path: %q, other: %q, ref: true, to: %q, group: %q, groupIn: %q, cluster: %t, absent: %q, "+
			"meanings: map[string]meaning{\"kind\": {%s}, \"group\": {%s}, \"namespace\": {%s}}}, ",
			path, other, toKind, group, groupIn, cluster, absent, means["kind"], means[groupIn], means["namespace"]),
		"ref" + strings.TrimSuffix(shared, ",absent="+absent)
}

// other makes up a value of else= for a path to values of a kind, or to names if that is "". It returns "" half of
// the time, and if no value would do.
func (m *made) other(spec *shape, path string, of *field, kind string) string {
	text := kind == "" || kind == "string" || kind == "Name"
	list := regexp.MustCompile(`\[(\*|\?.*?\))\]`)
	for range m.IntN(2) * 30 {
		other, f := m.path(spec)
		if m.IntN(20) == 0 {
			other, f = m.one(".metadata.name", ".metadata.labels['b']"), &field{of: "string"}
		}
		shared := 0
		for _, at := range list.FindAllStringIndex(path, -1) {
			if strings.HasPrefix(other, path[:at[1]]) {
				shared = at[1]
			}
		}
		isText := strings.Contains(f.of, "string") || strings.Contains(f.of, "Name")
		absent := text || of.of[0] == '*' || of.each || list.MatchString(path[shared:])
		same := kind == strings.TrimLeft(f.of, "*") || kind == "" && isText
		switch {
		case f.inner != nil || f.each || !same || !absent || other == path || list.MatchString(other[shared:]):
		case m.IntN(3) > 0 || shared > 0:
			return other
		case text:
			return fmt.Sprintf("%q", m.one("a", "x"))
		case kind == "bool":
			return "true"
		default:
			return "7"
		}
	}
	return ""
}

// TestRandomTypes makes up types with markers, emits code for all targets, and compares its keys with those of an
// evaluator of markers on JSON.
func TestRandomTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	m := &made{Rand: rand.New(rand.NewPCG(*seed, 1))}
	m.types.WriteString("// +groupName=random.example.com\n// +versionName=v1\npackage random\n\nimport (\n" +
		"\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\t\"k8s.io/apimachinery/pkg/runtime\"\n)\n\ntype Name string\n\n")
	for i := range 6 {
		m.shapes = append(m.shapes, m.referring(i))
	}
	for i := range 6 {
		m.shapes = append(m.shapes, m.nested(i))
	}
	fmt.Fprintf(&m.table, "package random\n\nimport \"sigs.k8s.io/controller-runtime/pkg/client\"\n\nconst seed = %d\n\nvar kinds = []kind{\n", *seed)
	for i := range rootTypes {
		m.root(i)
	}
	m.table.WriteString("}\n")
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		"types.go": m.types.Bytes(), "table_test.go": m.table.Bytes(),
		"agree_test.go": read(t, "testdata/random/agree_test.go.txt"),
		"go.mod":        scratchModule(t), "go.sum": read(t, "../go.sum"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool := filepath.Join(dir, "indexer-gen")
	run(t, "../../..", "go", "build", "-o", tool, "./cmd/indexer-gen")
	run(t, dir, tool, "-target=native,client-go,controller-runtime")
	with := func(option string) int { return bytes.Count(m.types.Bytes(), []byte(","+option+"=")) }
	t.Logf("%d sources of %d types, %d with else=, %d with if=, %d with absent=: %s", m.sources, rootTypes,
		with("else"), with("if"), with("absent"), run(t, dir, "go", "test", "-count=1", "-v", "."))
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// scratchModule returns a go.mod that requires what this module requires.
func scratchModule(t *testing.T) []byte {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(read(t, "../go.mod"), []byte("module example.com/random"))
	return regexp.MustCompile(`=> (\.\S*)`).ReplaceAllFunc(text, func(found []byte) []byte {
		return []byte("=> " + filepath.Join(root, string(found[len("=> "):])))
	})
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}
