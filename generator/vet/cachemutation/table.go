// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	_ "embed"
	"go/types"
	"regexp"
	"strings"
	"sync"
)

// derivedTable has the functions of the packages of the table, as the analysis finds them.
//
//go:embed derived.txt
var derivedTable string

// seedTable has what the analysis cannot find: methods of interfaces, and functions that use reflection or no Go.
//
//go:embed seeds.txt
var seedTable string

// table has both, by the names of functions, read when it is needed first.
var table = sync.OnceValue(func() map[string]*summary { return parseTable(seedTable + derivedTable) })

// derivesPackage selects the packages to analyze while a test makes the table.
var derivesPackage = func(*types.Package) bool { return false }

var tableModules = regexp.MustCompile(`^(sigs\.k8s\.io/(controller-runtime|yaml)|` +
	`k8s\.io/(api|apiextensions-apiserver|apimachinery|apiserver|client-go|component-base|component-helpers|klog|` +
	`kube-openapi|metrics|kube-aggregator|utils))(/|$)`)

// isKnownByTableOnly reports whether the table is all that is known of a package.
func isKnownByTableOnly(pkg *types.Package) bool { return tableModules.MatchString(pkg.Path()) }

// readerMethods matches the names of methods that read their receiver, although some keep what they made.
var readerMethods = regexp.MustCompile(`^(DeepCopy|GetCopy|Marshal|(String|Size|Equal)$)`)

// tableSummary returns what is known of a function without analysis. Methods of all interfaces of metav1.Object are
// one.
func tableSummary(fn *types.Func) (summaryOrNil *summary, known bool) {
	name := fn.Name()
	if name == "DeepCopyInto" {
		return &summary{[]effect{{From: 1, To: toWrite}}}, true
	} else if readerMethods.MatchString(name) {
		return nil, true
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		if summaryOrNil, known := table()["(Object)."+name]; known && isObject(recv.Type()) {
			return summaryOrNil, true
		}
	}
	summaryOrNil, known = table()[tableName(fn)]
	return summaryOrNil, known
}

// tableName returns the full name of a function, without type parameters.
func tableName(fn *types.Func) string {
	name := fn.FullName()
	if open := strings.IndexByte(name, '['); open >= 0 {
		name = name[:open] + name[strings.IndexByte(name, ']')+1:]
	}
	return name
}

// parseTable parses a table. The head of seeds.txt has the forms of its lines.
func parseTable(text string) map[string]*summary {
	all := map[string]*summary{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		s := &summary{}
		for _, word := range words[1:] {
			s.Effects = append(s.Effects, parseTableEffect(word))
		}
		all[words[0]] = s
	}
	return all
}

func parseTableEffect(text string) effect {
	from, to, _ := strings.Cut(text, ">")
	e := effect{From: fromCache, To: toWrite}
	if from != "cache" {
		e.From, e.At = path(from).cutNumber()
	}
	switch to[0] {
	case 'r':
		e.To, e.In = toResult, path(to[1:])
	case 'p':
		e.To, e.In = path(to[1:]).cutNumber()
	}
	return e
}
