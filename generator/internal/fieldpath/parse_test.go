// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fieldpath_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		".spec.nodeName":                       ".spec.nodeName",
		"$.spec.nodeName":                      ".spec.nodeName",
		".spec.volumes[*].name":                ".spec.volumes[*].name",
		".a[*][*]":                             ".a[*][*]",
		".metadata.labels['app']":              ".metadata.labels['app']",
		`.metadata.labels["a.b/c"]`:            ".metadata.labels['a.b/c']",
		`.a[?( @.b == 'c"' )].d`:               `.a[?(@.b=='c"')].d`,
		`.a[?(@.type=='Ready')]`:               `.a[?(@.type=="Ready")]`,
		`.a[?(@.tls.mode=='None')].b`:          `.a[?(@.tls.mode=="None")].b`,
		`.a[?( @.ready == true )]`:             `.a[?(@.ready==true)]`,
		`.a[?(@.b.c==false)]`:                  `.a[?(@.b.c==false)]`,
		`.a[?(@.ready=="true")]`:               `.a[?(@.ready=="true")]`,
		`.m['it\'s'].x`:                        `.m['it\'s'].x`,
		".äöü.with-dash.with_line.$dollar.x12": ".äöü.with-dash.with_line.$dollar.x12",
	} {
		got, err := fieldpath.Parse(text)
		if err != nil || got.String() != want {
			t.Errorf("Parse(%s) = %s, %v; want %s", text, got, err, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct {
		text, message string
		offset        int
	}{
		{"", "the path is empty", 0},
		{"$", "the path is empty", 0},
		{"spec", "a path begins with a dot", 0},
		{"{.spec.a}", "a path begins with a dot", 0},
		{"@.a", "a path begins with a dot", 0},
		{"spec/a", "a path begins with a dot", 0},
		{"/", "a path begins with a dot", 0},
		{"[*].a", "a path begins with a field", 0},
		{"['a']", "a path begins with a field", 0},
		{".spec.", "expected a field name", 6},
		{".spec..a", "recursive descent", 5},
		{".a[0]", "positions and slices are not supported", 2},
		{".a[?(@.b==1.5)]", `compares with a string in quotes, true, false or an integer, as in @.b=="Ready"`, 10},
		{".a[?(@.b==true1)]", `needs quotes; write @.b=="true1"`, 10},
		{".a[?(@.b.==true)]", "expected a field name", 9},
		{".a[?(@.b==c)]", `needs quotes; write @.b=="c"`, 10},
		{`.a[?(@.b=="x\"y")]`, `no escapes, and so no backslash; write one with a double quote in single quotes, as in 'x"y'`, 10},
		{`.a[?(@.b=='it\'s')]`, "no escapes", 10},
		{`.a[?(@.b=="x)]`, "the quote is not closed", 10},
		{".a[?(@.b!=c)]", `needs quotes; write @.b!="c"`, 10},
		{".a[?(!@.b=='c')]", "negated once; write @.b!=", 5},
		{".a[?(@.b=='c')", "ends with )]", 13},
		{".a[?(@.b='c')]", "a condition compares with == or !=, not with =", 8},
		{".a[?(@.b[*]=='c')]", "a condition is on one value", 8},
		{".a[?(.b=='c')]", "begins with a field, like @.spec.type", 5},
		{".a[?@.b]", "stands in parentheses", 2},
		{".a[" + strings.Repeat("b", 60) + "]", "write ['" + strings.Repeat("b", 60) + "']", 2},
		{".a[" + strings.Repeat("b", 61) + "]", "write ['" + strings.Repeat("b", 60) + "…']", 2},
		{".a b", "unexpected ' '", 2},
		{".a['b", "not closed", 2},
		{".a['b'x]", "expected ]", 6},
		{".a['']", "empty", 2},
		{".a['\n']", "unprintable characters", 2},
		{".a\xff", "unexpected", 2},
	} {
		_, err := fieldpath.Parse(test.text)
		var bad *fieldpath.Error
		if !errors.As(err, &bad) || bad.Offset != test.offset || !strings.Contains(bad.Message, test.message) {
			t.Errorf("Parse(%q) = %#v, want %q at %d", test.text, err, test.message, test.offset)
		}
	}
}

// FuzzParse checks that what parses prints to something that parses to the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{".spec.nodeName", "$.a[*].b['c']", ".a[\"b\"]", ".a['\\'']", ".a[?(@)]", `.a[?(@.b=="c")]`, "..", "[", ".a['", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path, err := fieldpath.Parse(text)
		if err != nil {
			var bad *fieldpath.Error
			if !errors.As(err, &bad) || bad.Offset < 0 || bad.Offset > len(text) || bad.Message == "" {
				t.Fatalf("Parse(%q) = %#v", text, err)
			}
			return
		}
		again, err := fieldpath.Parse(path.String())
		if err != nil || again.String() != path.String() || len(again) != len(path) {
			t.Fatalf("Parse(%q) = %s, which parses to %s, %v", text, path, again, err)
		}
	})
}

func TestDotted(t *testing.T) {
	for text, want := range map[string]string{
		"spec.a": ".spec.a", "{.spec.a}": ".spec.a", "$.spec.a": ".spec.a", "'.spec.a'": ".spec.a", "@.a": ".a",
		"/spec.a": ".spec.a", "spec.a/b": ".spec.a/b",
	} {
		if got := fieldpath.Dotted(text); got != want {
			t.Errorf("Dotted(%q) = %q, want %q", text, got, want)
		}
	}
}
