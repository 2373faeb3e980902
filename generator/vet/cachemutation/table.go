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

// tables has both, by the names of functions, read when they are needed first.
var (
	seedTable    = sync.OnceValue(func() map[string]*summary { return mustParse(seeds) })
	derivedTable = sync.OnceValue(func() map[string]*summary { return mustParse(derived) })
)

func mustParse(text string) map[string]*summary {
	table, err := parseTable(text)
	if err != nil {
		panic(err) //nolint:forbidigo // the tables are embedded, and tests read them
	}
	return table
}

// deriving selects the packages to analyze while a test makes the table.
var deriving func(*types.Package) bool

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

// seeded returns what is known of a function without analysis. Methods of all interfaces of metav1.Object are one.
func seeded(fn *types.Func) (s *summary, ok bool) {
	name := fn.Name()
	switch {
	case name == "DeepCopyInto":
		return &summary{Writes: []write{{Param: 1}}}, true
	case strings.HasPrefix(name, "DeepCopy"):
		return nil, true
	case name == "String", name == "Size", name == "Equal", strings.HasPrefix(name, "Marshal"):
		return nil, true // these read, although some keep what they made
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		if s, ok := seedTable()["(Object)."+name]; ok && hasMethod(recv.Type(), "SetResourceVersion") {
			return s, true
		}
	}
	s, ok = seedTable()[nameInTable(fn)]
	return s, ok
}

// nameInTable returns the full name of a function, without vendor directories and type parameters.
func nameInTable(fn *types.Func) string {
	name := fn.FullName()
	if i := strings.LastIndex(name, "/vendor/"); i >= 0 {
		prefix := name[:len(name)-len(strings.TrimLeft(name, "(*"))]
		name = prefix + name[i+len("/vendor/"):]
	}
	if open := strings.IndexByte(name, '['); open >= 0 {
		name = name[:open] + name[strings.IndexByte(name, ']')+1:]
	}
	return name
}

// parseTable parses a table. A line has a name and then writes and flows:
//
//	name write:0*.1 flow:0.2>r0 flow:cache>r0[ flow:1>p0*
func parseTable(text string) (map[string]*summary, error) {
	all := map[string]*summary{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		s := &summary{}
		for _, word := range words[1:] {
			if err := s.parse(word, words[0]); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", words[0], word, err)
			}
		}
		all[words[0]] = s
	}
	return all, nil
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
