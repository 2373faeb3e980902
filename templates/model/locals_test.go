// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"
	"testing"
)

// fieldOf, each, values, key and where are the steps of paths.
func fieldOf(name string) *Step { return &Step{Op: Field, Name: name} }
func each(one string) *Step     { return &Step{Op: Each, Text: "[*]", Singular: one} }
func values(one string) *Step   { return &Step{Op: EachOfMap, Text: "[*]", Singular: one} }
func key(name, one string) *Step {
	return &Step{Op: Lookup, Name: name, Text: "['" + name + "']", Singular: one}
}
func where(one, value string) []*Step {
	return []*Step{{Op: Each, Text: "[?" + value, Singular: one}, {Op: Match, Conditions: []*Condition{{
		Steps: []*Step{{Name: "Type"}}, Literal: value, Value: value, Basic: StringBasic}}}}
}

func path(steps ...*Step) *Part { return &Part{Steps: steps} }

// TestNamesOfVariables: what the parameters of a query and the variables of its index
// function are called.
func TestNamesOfVariables(t *testing.T) {
	spec, status := func() *Step { return fieldOf("Spec") }, func() *Step { return fieldOf("Status") }
	condition := func(value string) *Part {
		return path(append(append([]*Step{status(), fieldOf("Conditions")}, where("Condition", value)...), fieldOf("Status"))...)
	}
	for _, test := range []struct {
		name   string
		index  string
		parts  []*Part
		params []string
		vars   []string
	}{
		{"a list", "Volume", []*Part{path(spec(), fieldOf("Volumes"), each("Volume"), fieldOf("Name"))},
			[]string{"volume"}, []string{"volume"}},
		{"a list of values", "Tags", []*Part{path(spec(), fieldOf("Tags"), each("Tag"))}, []string{"tag"}, []string{"tag"}},
		{"initialisms", "URLs", []*Part{path(spec(), fieldOf("URLs"), each("URL"))}, []string{"url"}, []string{"url"}},
		{"several of them", "IPs", []*Part{path(spec(), fieldOf("Addresses"), each("IPv4Address"))}, []string{"ips"}, []string{"ipv4Address"}},
		{"a list in a list", "Port", []*Part{path(spec(), fieldOf("Containers"), each("Container"), fieldOf("Ports"), each("Port"), fieldOf("Number"))},
			[]string{"port"}, []string{"container", "port"}},
		{"lists of lists", "Cell", []*Part{path(spec(), fieldOf("Cells"), each("Cell"), each("Cell"))},
			[]string{"cell"}, []string{"cells", "cell"}},
		{"three levels", "Cell", []*Part{path(spec(), fieldOf("Cells"), values("Cell"), each("Cell"), each("Cell"))},
			[]string{"cell"}, []string{"cellGroups", "cells", "cell"}},
		{"levels without a plural", "Data", []*Part{path(spec(), fieldOf("MM"), values("MM"), values("MM"), values("MM"))},
			[]string{"data"}, []string{"mmGroups", "mm", "value"}},
		{"a key", "App", []*Part{path(fieldOf("Labels"), key("app.kubernetes.io/name", "Label"))}, []string{"app"}, []string{"name"}},
		{"one key of two maps", "Apps", []*Part{
			path(fieldOf("Labels"), key("app", "Label")), path(fieldOf("Annotations"), key("app", "Annotation")),
		}, []string{"labelsApp", "annotationsApp"}, []string{"appLabel", "appAnnotation"}},
		{"a key of maps below a key", "Mode", []*Part{path(spec(), fieldOf("Modes"), key("boot", "Mode"), key("type", "Mode"))},
			[]string{"mode"}, []string{"boot", "typeMode"}},
		{"keys that make no name", "Odd", []*Part{path(spec(), fieldOf("Modes"), key("--", "Mode"))}, []string{"odd"}, []string{"mode"}},
		{"keys that no name tells apart", "Odds", []*Part{
			path(fieldOf("Labels"), key("a-b", "Label")), path(fieldOf("Labels"), key("a.b", "Label")), path(fieldOf("Labels"), key("c", "Label")),
		}, []string{"", "", ""}, []string{"ab", "ab2", "c"}}, // the query takes the key struct
		{"such keys with numbers", "Odds", []*Part{
			path(fieldOf("Labels"), key("a2", "Label")), path(fieldOf("Labels"), key("-a2", "Label")),
		}, []string{"a2No1", "a2No2"}, []string{"a2", "a2No2"}},
		{"filters that no name tells apart", "Odds", []*Part{condition("A-B"), condition("A.B")},
			[]string{"status1", "status2"}, []string{"condition", "condition2"}},
		{"keys without upper case", "Odds", []*Part{path(fieldOf("Labels"), key("日本", "Label")), path(fieldOf("Labels"), key("中", "Label"))},
			[]string{"key日本", "key中"}, []string{"key日本", "key中"}},
		{"all in a map", "Limit", []*Part{path(spec(), fieldOf("Limits"), values("Limit"))}, []string{"limit"}, []string{"limit"}},
		{"one condition", "Ready", []*Part{condition("Ready")}, []string{"ready"}, []string{"condition"}},
		{"two conditions", "ReadySynced", []*Part{condition("Ready"), condition("Synced")},
			[]string{"readyStatus", "syncedStatus"}, []string{"readyCondition", "syncedCondition"}},
		{"lists of one name", "Ports", []*Part{
			path(spec(), fieldOf("Containers"), each("Container"), fieldOf("Ports"), each("Port"), fieldOf("Name")),
			path(spec(), fieldOf("Extra"), fieldOf("Ports"), each("Port"), fieldOf("Protocol")),
		}, []string{"name", "protocol"}, []string{"container", "containerPort", "extraPort"}},
		{"words of Go", "Type", []*Part{path(spec(), fieldOf("Interfaces"), each("Interface"), fieldOf("Type"))},
			[]string{"podType"}, []string{"podInterface"}},
		{"words of Go in a list", "Rule", []*Part{
			path(spec(), fieldOf("Rules"), each("Rule"), fieldOf("Type")), path(spec(), fieldOf("Strategy"), fieldOf("Range")),
		}, []string{"ruleType", "strategyRange"}, []string{"rule"}},
		{"imports", "Source", []*Part{path(spec(), fieldOf("Projected"), fieldOf("Sources"), each("Source"))},
			[]string{"podSource"}, []string{"projectedSource"}},
		{"the object", "Peer", []*Part{path(spec(), fieldOf("Ps"), each("P"))}, []string{"peer"}, []string{"podP"}},
	} {
		ix := &Index{Name: test.index, Parts: test.parts}
		p := &Package{Path: "example.com/a", Types: []*Type{{Kind: "Pod", Plural: "Pods", Indexes: []*Index{ix}}}}
		AssignNames(p, nil, nil)
		var params, vars []string
		seen := map[string]bool{}
		for _, part := range ix.Parts {
			params = append(params, part.Param)
			for i, s := range part.Steps {
				if s.Var != "" && !seen[part.Prefix(i)] {
					vars = append(vars, s.Var)
					seen[part.Prefix(i)] = true
				}
			}
		}
		if !slices.Equal(params, test.params) {
			t.Errorf("%s: the parameters are %v, want %v", test.name, params, test.params)
		}
		if !slices.Equal(vars, test.vars) {
			t.Errorf("%s: the variables are %v, want %v", test.name, vars, test.vars)
		}
	}
}

// Paths through one list share its loop.
func TestSharedLoop(t *testing.T) {
	disks := func(last string) *Part { return path(fieldOf("Spec"), fieldOf("Disks"), each("Disk"), fieldOf(last)) }
	ix := &Index{Name: "Disk", Parts: []*Part{disks("ID"), disks("Size")}}
	for _, part := range ix.Parts {
		part.Steps[2].Struct = true
	}
	AssignNames(&Package{Types: []*Type{{Kind: "Device", Indexes: []*Index{ix}}}}, nil, nil)
	for _, part := range ix.Parts {
		if s := part.Steps[2]; s.Var != "disk" || s.Counter != "i" {
			t.Errorf("the loop has %q and %q, want disk and i", s.Var, s.Counter)
		}
	}
}
