// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	_ "embed"
	"fmt"
	"go/types"
	"strconv"
	"strings"
	"sync"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/handlers"
)

// derived has the functions of the packages of the table, as the analysis finds them.
//
//go:embed derived.txt
var derived string

// seeds has what the analysis cannot find: methods of interfaces, and functions that use reflection or no Go.
//
//go:embed seeds.txt
var seeds string

// tables has both, by the names of functions. It is read when it is needed first.
var tables = sync.OnceValue(func() map[string]*summary {
	all := map[string]*summary{}
	for _, text := range []string{derived, seeds} {
		if err := parseTable(text, all); err != nil {
			panic(err) // tests read the tables
		}
	}
	return all
})

// inTable reports whether the table is all that is known of a package.
func inTable(pkg *types.Package) bool {
	path := handlers.Path(pkg)
	rest, ok := strings.CutPrefix(path, "k8s.io/")
	if !ok {
		return strings.HasPrefix(path, "sigs.k8s.io/controller-runtime/") || strings.HasPrefix(path, "sigs.k8s.io/yaml")
	}
	module, _, _ := strings.Cut(rest, "/")
	switch module {
	case "api", "apiextensions-apiserver", "apimachinery", "apiserver", "client-go", "component-base", "component-helpers",
		"klog", "kube-openapi", "metrics", "kube-aggregator", "utils":
		return true
	}
	return false
}

// known returns what the table has of a function. Methods of all interfaces of metav1.Object are one.
func known(fn *types.Func) *summary {
	if isCopy(fn) {
		if fn.Name() == "DeepCopyInto" {
			return &summary{Writes: []write{{Param: 1}}}
		}
		return nil
	}
	if fn.Pkg() == nil {
		return nil
	}
	name := fn.FullName()
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		if s := tables()["(Object)."+fn.Name()]; s != nil && hasMethod(recv.Type(), "SetResourceVersion") {
			return s
		}
	}
	if i := strings.LastIndex(name, "/vendor/"); i >= 0 {
		prefix := name[:len(name)-len(strings.TrimLeft(name, "(*"))]
		name = prefix + name[i+len("/vendor/"):]
	}
	if open := strings.IndexByte(name, '['); open >= 0 { // type parameters of the receiver
		name = name[:open] + name[strings.IndexByte(name, ']')+1:]
	}
	return tables()[name]
}

// isCopy reports whether a function makes a deep copy, by its name.
func isCopy(fn *types.Func) bool { return strings.HasPrefix(fn.Name(), "DeepCopy") }

// parseTable adds the functions of a table. A line has a name and then writes and flows:
//
//	name write:0*.1 flow:0.2>r0 flow:cache>r0[ flow:1>p0*
func parseTable(text string, all map[string]*summary) error {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		s := &summary{}
		for _, word := range words[1:] {
			if err := s.parse(word, words[0]); err != nil {
				return fmt.Errorf("%s: %q: %w", words[0], word, err)
			}
		}
		all[words[0]] = s
	}
	return nil
}

func (s *summary) parse(word, name string) error {
	if target, ok := strings.CutPrefix(word, "write:"); ok {
		param, at, err := parsePlace(target)
		s.addWrite(write{Param: param, At: at, Way: nil})
		return err
	}
	from, to, _ := strings.Cut(strings.TrimPrefix(word, "flow:"), ">")
	f := flow{From: fromCache}
	var err error
	if from == "cache" {
		short := name[strings.LastIndexByte(name, '/')+1:]
		f.Way = []step{{strings.ReplaceAll(short, ")", ""), ""}}
	} else if f.From, f.At, err = parsePlace(from); err != nil {
		return err
	}
	if to == "" {
		return fmt.Errorf("no target")
	}
	if f.To, f.In, err = parsePlace(to[1:]); to[0] == 'p' {
		f.To = toParam(f.To)
	}
	s.addFlow(f)
	return err
}

// parsePlace parses a number and a path.
func parsePlace(text string) (int, path, error) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.Atoi(text[:digits])
	if err != nil {
		return 0, "", err
	}
	p, err := parsePath(text[digits:])
	return n, p, err
}

// String returns the summary as a line of the table, without the name.
func (s *summary) String() string {
	var words []string
	for _, w := range s.Writes {
		words = append(words, fmt.Sprintf("write:%d%s", w.Param, w.At))
	}
	for _, f := range s.Flows {
		from, to := "cache", "r"+strconv.Itoa(f.To)
		if f.From != fromCache {
			from = strconv.Itoa(f.From) + f.At.String()
		}
		if f.To < 0 {
			to = "p" + strconv.Itoa(toParam(f.To))
		}
		words = append(words, "flow:"+from+">"+to+f.In.String())
	}
	return strings.Join(words, " ")
}
