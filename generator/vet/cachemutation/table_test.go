// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

const tableHeader = "# Made by the analysis: UPDATE=1 go test ./generator/vet/cachemutation -run TestTable\n"

// The table is what the analysis finds in the packages that it names, with the seeds alone.
func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("analyzes client-go and controller-runtime")
	}
	whole, part := table, parseTable(seedTable)
	derivesPackage, table = isDerived, func() map[string]*summary { return part }
	defer func() { derivesPackage, table = func(*types.Package) bool { return false }, whole }()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule,
		Dir:  "../../../hack", // its module requires them
	}, "slices", "maps", "sort",
		"k8s.io/apimachinery/pkg/api/...", "k8s.io/apimachinery/pkg/apis/meta/...", "k8s.io/apimachinery/pkg/conversion",
		"k8s.io/apimachinery/pkg/labels", "k8s.io/apimachinery/pkg/runtime", "k8s.io/apimachinery/pkg/util/...",
		"k8s.io/client-go/tools/...", "k8s.io/client-go/util/...", "k8s.io/client-go/dynamic/...",
		"sigs.k8s.io/controller-runtime/pkg/...", "k8s.io/utils/...")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*goanalysis.Analyzer{Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Fatal(action.Err)
		}
		if !isDerived(action.Package.Types) {
			continue
		}
		for _, fact := range action.AllObjectFacts() {
			fn, ok := fact.Object.(*types.Func)
			if s, isSummary := fact.Fact.(*summary); ok && isSummary && fn.Pkg() == action.Package.Types && !isSeeded(fn) {
				if line := tableLine(fn, s); line != "" {
					lines = append(lines, line)
				}
			}
		}
	}
	slices.Sort(lines)
	table := tableHeader + strings.Join(lines, "")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile("derived.txt", []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if table != derivedTable {
		t.Error("the table differs from what the analysis finds; make it again as its first line says")
	}
}

func isSeeded(fn *types.Func) bool {
	_, ok := tableSummary(fn)
	return ok
}

// tableLine returns the line of a function that programs may call with objects, or "".
func tableLine(fn *types.Func, s *summary) string {
	sig := fn.Signature()
	if recv := sig.Recv(); !fn.Exported() || recv != nil && !exportedType(recv.Type()) {
		return ""
	}
	switch fn.Name() {
	case "Reset", "Unmarshal":
		return "" // of protobuf
	}
	holds := func(i int) bool {
		if recv := sig.Recv(); recv != nil {
			if i == 0 {
				return object(recv.Type())
			}
			i--
		}
		return i >= sig.Params().Len() || object(sig.Params().At(i).Type())
	}
	var kept summary
	for _, e := range s.Effects {
		if (e.From == fromCache || holds(e.From)) && (e.To < 0 || holds(e.To)) {
			kept.addEffect(e)
		}
	}
	if kept.isEmpty() {
		return ""
	}
	slices.SortFunc(kept.Effects, func(a, b effect) int {
		return cmp.Or(cmp.Compare(b.To/toWrite, a.To/toWrite), a.From-b.From, cmp.Compare(a.At, b.At), a.To-b.To, cmp.Compare(a.In, b.In))
	})
	return tableName(fn) + effects(&kept) + "\n"
}

// effects returns the effects of a line of a table.
func effects(s *summary) (text string) {
	for _, e := range s.Effects {
		from, to := "cache", "write"
		if e.From != fromCache {
			from = fmt.Sprint(e.From, string(e.At))
		}
		if e.To == toResult {
			to = "r" + string(e.In)
		} else if e.To >= 0 {
			to = fmt.Sprint("p", e.To, string(e.In))
		}
		text += " " + from + ">" + to
	}
	return text
}

// Each line is read as it is written.
func TestParse(t *testing.T) {
	for line := range strings.Lines(seedTable + derivedTable) {
		if name, text, _ := strings.Cut(strings.TrimSpace(line), " "); name != "#" {
			if text, got := strings.TrimSpace(text), effects(parseTable(line)[name]); strings.TrimSpace(got) != text {
				t.Errorf("%s: %q is read as %q", name, text, got)
			}
		}
	}
}

// Each example at the head of the seeds is an effect of the function that it names.
func TestExamples(t *testing.T) {
	n := 0
	for line := range strings.Lines(seedTable) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "#" || !strings.Contains(words[1], ">") {
			continue
		}
		n++
		if name := words[len(words)-1]; !slices.Contains(strings.Fields(effects(table()[name])), words[1]) {
			t.Errorf("%s does not have the effect %s", name, words[1])
		}
	}
	if n == 0 {
		t.Error("the seeds have no examples")
	}
}

func isDerived(pkg *types.Package) bool {
	path := pkg.Path()
	switch path {
	case "slices", "maps", "sort":
		return true
	}
	return isKnownByTableOnly(pkg) && !slices.ContainsFunc([]string{"internal", "fake", "test", "komega", "interceptor"}, func(part string) bool {
		return strings.Contains(path, part)
	})
}

func exportedType(t types.Type) bool {
	_, name := program.Named(t)
	return token.IsExported(name)
}

// object reports whether a parameter of the type may be an object or a part of one.
func object(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return object(u.Elem())
	case *types.TypeParam, *types.Map, *types.Slice:
		return true
	case *types.Named:
		pkg, name := program.Named(u)
		if _, isStruct := u.Underlying().(*types.Struct); !isStruct {
			_, isFunc := u.Underlying().(*types.Signature)
			return !isFunc
		}
		return !strings.HasSuffix(name, "Options") && (strings.HasPrefix(pkg, "k8s.io/api/") || strings.HasPrefix(pkg, "k8s.io/apimachinery/pkg/apis/") ||
			pkg == "k8s.io/apimachinery/pkg/api/resource" || pkg == "k8s.io/apimachinery/pkg/runtime" && (name == "RawExtension" || name == "Unknown" || name == "TypeMeta"))
	}
	_, isInterface := t.Underlying().(*types.Interface)
	return isInterface
}
