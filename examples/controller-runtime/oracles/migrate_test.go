// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package oracles

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The parts of index functions of Pods. A loop binds k to a value, and a key is made of k.
var (
	guards = []string{
		`if p.Spec.NodeName == "" { return nil }`,
		`if p.Status.Phase != corev1.PodRunning { return nil }`,
		`switch p.Spec.RestartPolicy { case "Always", "Never": default: return nil }`,
		`if p.Spec.HostNetwork { return nil }`,
		`if p.Labels["app"] != "web" { return nil }`,
		`if p.Spec.SecurityContext == nil { return nil }`,
		`if p.Spec.Priority == nil || *p.Spec.Priority != 7 { return nil }`,
		`if ptr.Deref(p.Spec.RuntimeClassName, "") == "gvisor" { return nil }`,
		`if len(p.Spec.Tolerations) == 0 { return nil }`,
	}
	loops = []string{
		`{ k := p.Spec.NodeName; KEY }`,
		`if k := p.Spec.ServiceAccountName; k != "" { KEY }`,
		`if p.Spec.RuntimeClassName != nil { k := *p.Spec.RuntimeClassName; KEY }`,
		`for _, v := range p.Spec.Volumes { if v.Secret == nil { continue }; k := v.Secret.SecretName; KEY }`,
		`for i := range p.Spec.Volumes { v := &p.Spec.Volumes[i]; if v.ConfigMap != nil && v.Name == "config" { k := v.ConfigMap.Name; KEY } }`,
		`for _, s := range p.Spec.ImagePullSecrets { k := s.Name; KEY }`,
		`for _, c := range p.Spec.Containers { for _, e := range c.Env { if e.ValueFrom == nil || e.ValueFrom.SecretKeyRef == nil { continue }; k := e.ValueFrom.SecretKeyRef.Name; KEY } }`,
		`for _, c := range p.Spec.Containers { if c.TTY != true || c.Image == "busybox" { continue }; k := c.Name; KEY }`,
		`for _, c := range p.Status.Conditions { if c.Type == corev1.PodReady { k := c.Reason; KEY } }`,
		`if o := metav1.GetControllerOf(p); o != nil && o.Kind == "Job" && o.APIVersion == batchv1.SchemeGroupVersion.String() { k := o.Name; KEY }`,
		`if k, ok := p.Annotations["example.com/k"]; ok { KEY }`,
	}
	// wholes make keys of their own.
	wholes = []string{
		`k := ptr.Deref(p.Spec.RuntimeClassName, "standard"); keys = append(keys, k)`,
		`k := p.Spec.ServiceAccountName; if k == "" { k = p.Spec.SchedulerName }; keys = append(keys, k)`,
		`ready := "Unknown"; for _, c := range p.Status.Conditions { if c.Type == corev1.PodReady { ready = c.Reason; break } }; keys = append(keys, ready)`,
		`set := sets.New[string](); for _, c := range p.Spec.Containers { set.Insert(c.Image) }; keys = set.UnsortedList()`,
		`set := map[string]bool{}; for _, v := range p.Spec.Volumes { if v.Secret != nil { set[v.Secret.SecretName] = true } }; for k := range set { keys = append(keys, k) }`,
		`keys = append(keys, sources(p, "VolumeSnapshot")...)`,
		`add := func(k string) { if k != "" { keys = append(keys, k) } }; add(p.Spec.NodeName); add(p.Spec.Hostname)`,
	}
	joins = []string{
		`keys = append(keys, k)`,
		`keys = append(keys, p.Namespace+"/"+k)`,
		`keys = append(keys, fmt.Sprintf("%s/%s", p.GetNamespace(), k))`,
		`keys = append(keys, types.NamespacedName{Namespace: p.Namespace, Name: k}.String())`,
		`keys = append(keys, "x-"+k+":"+p.Spec.SchedulerName)`,
	}
)

// helper is called by one of the wholes.
const helper = `func sources(p *corev1.Pod, kind string) (keys []string) {
	for _, v := range p.Spec.Volumes {
		if v.Ephemeral == nil || v.Ephemeral.VolumeClaimTemplate == nil {
			continue
		}
		ref := v.Ephemeral.VolumeClaimTemplate.Spec.DataSource
		if ref == nil || ptr.Deref(ref.APIGroup, "") != "snapshot.storage.k8s.io" || ref.Kind != kind {
			continue
		}
		keys = append(keys, types.NamespacedName{Namespace: p.Namespace, Name: ref.Name}.String())
	}
	return keys
}

`

// body returns the body of a random index function.
func body(r *rand.Rand) string {
	text := "p := o.(*corev1.Pod)\n"
	for _, i := range r.Perm(len(guards))[:r.IntN(3)] {
		text += guards[i] + "\n"
	}
	text += "var keys []string\n"
	if r.IntN(3) == 0 {
		return strings.ReplaceAll(text+wholes[r.IntN(len(wholes))]+"\n", "; ", "\n") + "return keys\n"
	}
	join := joins[r.IntN(len(joins))]
	for _, i := range r.Perm(len(loops))[:1+r.IntN(2)] {
		text += strings.ReplaceAll(loops[i], "KEY", join) + "\n"
	}
	return strings.ReplaceAll(text, "; ", "\n") + "return keys\n"
}

// others are fields of the same type, which take the place of the fields of a function.
var others = map[string]string{
	"NodeName": "Hostname", "ServiceAccountName": "SchedulerName", "SchedulerName": "Hostname", "HostNetwork": "HostPID",
	"Labels": "Annotations", "Annotations": "Labels", "Image": "WorkingDir", "TTY": "Stdin", "Reason": "Message",
}

// checks reports whether a statement only leaves the function or the loop, if something else than nil is found.
func checks(stmt ast.Stmt) bool {
	var text bytes.Buffer
	switch s := stmt.(type) {
	case *ast.SwitchStmt:
		return true
	case *ast.IfStmt:
		if len(s.Body.List) != 1 || format.Node(&text, token.NewFileSet(), s.Cond) != nil || strings.Contains(text.String(), "nil") {
			return false
		}
		_, leaves := s.Body.List[0].(*ast.ReturnStmt)
		_, goes := s.Body.List[0].(*ast.BranchStmt)
		return leaves || goes
	}
	return false
}

// changed returns small changes of a function: another constant, the opposite comparison, another field, and a check
// that is dropped. A check for nil is not dropped, because the function then panics.
func changed(t *testing.T, function string) (out []string) {
	for change := 0; ; change++ {
		fset, n, done := token.NewFileSet(), 0, false
		file, err := parser.ParseFile(fset, "f.go", "package p\n"+function, 0)
		if err != nil {
			t.Fatalf("%v in %s", err, function)
		}
		here := func() bool { n++; done = done || n-1 == change; return n-1 == change }
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				return !strings.Contains(fmt.Sprint(node.Fun), "Sprintf")
			case *ast.BasicLit:
				if node.Kind == token.STRING && node.Value != `""` && node.Value != `"/"` && here() {
					node.Value = `"changed"`
				}
			case *ast.SelectorExpr:
				if other := others[node.Sel.Name]; other != "" && here() {
					node.Sel.Name = other
				}
			case *ast.BlockStmt:
				node.List = slices.DeleteFunc(node.List, func(s ast.Stmt) bool { return checks(s) && here() })
			case *ast.BinaryExpr:
				opposite := map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL}[node.Op]
				if opposite != 0 && fmt.Sprint(node.Y) != "nil" && here() {
					node.Op = opposite
				}
			}
			return true
		})
		if !done {
			return out
		}
		var text bytes.Buffer
		if err := format.Node(&text, fset, file); err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.TrimPrefix(text.String(), "package p\n"))
	}
}

// TestMigrate gives random index functions to indexer-gen migrate. All get markers, the tests that it writes pass, and
// they fail for functions with a small change. A function that cuts a text is copied.
func TestMigrate(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "indexer-gen")
	run(t, "../../..", "go", "build", "-o", tool, "./cmd/indexer-gen")
	(&project{}).requiring(t, dir)
	r := rand.New(rand.NewPCG(50, 1))
	const functions = 36
	var calls, text strings.Builder
	var all []string
	for i := range functions {
		all = append(all, fmt.Sprintf("func f%d(o client.Object) []string {\n%s}\n", i, body(r)))
		fmt.Fprintf(&calls, "\t_ = x.IndexField(ctx, &corev1.Pod{}, \"i%d\", f%d)\n", i, i)
		fmt.Fprintf(&text, "\n%s", all[i])
	}
	calls.WriteString("\t_ = x.IndexField(ctx, &corev1.Pod{}, \"copied\", func(o client.Object) []string {\n" +
		"\t\treturn []string{fmt.Sprintf(\"%.1s\", o.GetName())}\n\t})\n")
	app := filepath.Join(dir, "app", "app.go")
	head := "package app\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\n\tbatchv1 \"k8s.io/api/batch/v1\"\n" +
		"\tcorev1 \"k8s.io/api/core/v1\"\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\t\"k8s.io/apimachinery/pkg/types\"\n" +
		"\t\"k8s.io/apimachinery/pkg/util/sets\"\n\t\"k8s.io/utils/ptr\"\n\t\"sigs.k8s.io/controller-runtime/pkg/client\"\n)\n\n" +
		"var (\n\t_ sets.Set[string]\n\t_ = fmt.Sprintf\n\t_ = batchv1.SchemeGroupVersion\n\t_ = metav1.GetControllerOf\n\t_ types.NamespacedName\n\t_ = ptr.Deref[int]\n)\n\n"
	write(t, app, []byte(head+helper+"func Add(ctx context.Context, x client.FieldIndexer) {\n"+calls.String()+"}\n"+text.String()))
	report := run(t, dir, tool, "migrate", "-write", "internal/index", "./app")
	refused := strings.Count(report, "are two indexes of the same values") // see docs/limitations.md
	marked := functions - refused
	if want := fmt.Sprintf("%d indexes: %d have markers, %d need +index:func", functions+1, marked, refused+1); !strings.Contains(report, want) {
		t.Fatalf("want %s of\n%s", want, report)
	}
	run(t, dir, "go", "test", "-vet=off", "-run=TestMigrated", "./internal/index")

	// The same tests, of functions with one change each.
	tests := string(read(t, filepath.Join(dir, "internal", "index", "zz_migrate_test.go")))
	top, rest, _ := strings.Cut(tests, "\n// The index ")
	each := strings.Split(rest, "\n// The index ")
	var mutated, mutants strings.Builder
	mutated.WriteString(strings.Replace(top, "package index", "package app", 1))
	var bodies []string
	for _, test := range each {
		if strings.HasPrefix(test, `"copied"`) {
			continue
		}
		i, err := strconv.Atoi(regexp.MustCompile(`^"i(\d+)"`).FindStringSubmatch(test)[1])
		if err != nil {
			t.Fatal(err)
		}
		for n, f := range changed(t, all[i]) {
			name := fmt.Sprintf("f%dm%d", i, n)
			mutants.WriteString(strings.Replace(f, fmt.Sprintf("func f%d(", i), "func "+name+"(", 1))
			test := strings.Replace(test, "fieldKeys(PodFieldIndexers())", "keysOf("+name+")", 1)
			mutated.WriteString("\n" + regexp.MustCompile(`func TestMigrated\w+`).ReplaceAllString("// The index "+test, "func TestMutant_"+name))
			bodies = append(bodies, f)
		}
	}
	write(t, filepath.Join(dir, "app", "mutants_test.go"), []byte(mutated.String()))
	write(t, filepath.Join(dir, "app", "mutants.go"), []byte(strings.Replace(head, "\"context\"\n", "\n", 1)+mutants.String()+`
type Pod = corev1.Pod

func keysOf(f client.IndexerFunc) func(string, any) ([]string, error) {
	return func(_ string, obj any) ([]string, error) { return f(obj.(client.Object)), nil }
}
`))
	cmd := exec.Command("go", "test", "-vet=off", "-v", "./app")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, _ := cmd.CombinedOutput()
	killed := strings.Count(string(out), "--- FAIL: TestMutant_")
	t.Logf("%d functions have markers that pass; the tests fail for %d of %d changes", marked, killed, len(bodies))
	ran := regexp.MustCompile(`--- (PASS|FAIL): TestMutant_`).FindAllStringSubmatch(string(out), -1)
	if len(ran) != len(bodies) || len(bodies) < 5*functions/2 {
		t.Fatalf("%d of %d tests ran:\n%.3000s", len(ran), len(bodies), out)
	}
	for i, m := range ran {
		if m[1] == "PASS" {
			t.Errorf("no test fails for the change\n%s", bodies[i])
		}
	}
}
