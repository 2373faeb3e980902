// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fieldpath_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
)

func TestCondition(t *testing.T) {
	for text, want := range map[string]string{
		".spec.type":                  ".spec.type",
		" !.spec.paused ":             "!.spec.paused",
		`.spec.a == "x"`:              `.spec.a=="x"`,
		`.a!='x"y'`:                   `.a!='x"y'`,
		".a==true":                    ".a==true",
		".a != -12":                   ".a!=-12",
		".a['k'].b==0":                ".a['k'].b==0",
		`.a[?( !@.b&&@.c!=1 )]`:       `.a[?(!@.b && @.c!=1)]`,
		`.a[?(@.b['x'] && @.c=='d')]`: `.a[?(@.b['x'] && @.c=="d")]`,
	} {
		got, err := fieldpath.ParseCondition(text)
		if err != nil || got.Text("") != want {
			t.Errorf("ParseCondition(%s) = %s, %v; want %s", text, got.Text(""), err, want)
			continue
		}
		if got, err := fieldpath.ParseCondition("@" + want); err == nil {
			t.Errorf("ParseCondition(@%s) = %s", want, got.Text(""))
		}
	}
}

func TestConditionErrors(t *testing.T) {
	for _, test := range []struct {
		text, message string
		offset        int
	}{
		{"spec.a", "begins with a field, like .spec.type", 0},
		{"  !spec.a", "begins with a field, like .spec.type", 3},
		{".a b", "goes on after its end", 3},
		{`.a=="x" .b`, "goes on after its end", 8},
		{".a.==1", "expected a field name", 3},
		{".a[*]==1", "[*] takes several", 2},
		{"!.a[?(@.b)]", "[?(@.b)] takes several", 3},
		{".a[?(@.b)].c", "[?(@.b)] takes several", 2},
		{`.a=~"x"`, "not with =~", 2},
		{` !.a=="x"`, "negated once; write .a!=", 1},
		{".a!=x", `needs quotes; write .a!="x"`, 4},
		{".a == 1.5", `true, false or an integer, as in .a=="Ready"`, 6},
		{".a==01", `true, false or an integer, as in .a=="Ready"`, 4},
		{".a==", `true, false or an integer, as in .a=="Ready"`, 4},
		{`.a=="x`, "the quote is not closed", 4},
		{`.a=="\t"`, "strings have no escapes", 4},
		{".a==\"\t\"", "unprintable characters", 4},
	} {
		got, err := fieldpath.ParseCondition(test.text)
		var bad *fieldpath.Error
		if !errors.As(err, &bad) || bad.Offset != test.offset || !strings.Contains(bad.Message, test.message) {
			t.Errorf("ParseCondition(%q) = %s, %#v, want %q at %d", test.text, got.Text(""), err, test.message, test.offset)
		}
	}
}

func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{
		`"a"`: `"a"`, `'a"b'`: `"a\"b"`, "true": "true", "-7": "-7", "''": `""`,
		"a": "", "1.5": "", `"a" `: "", `"a`: "", `"\"`: "", "\"\t\"": "", "": "",
	} {
		if got, ok := fieldpath.Literal(text); got != want || ok != (want != "") {
			t.Errorf("Literal(%s) = %s, %v; want %q", text, got, ok, want)
		}
	}
	for text, want := range map[string]string{
		"": "", "a": "", `"a" more`: "", `'a`: "not closed", `"\"`: "no escapes", "\"\t\"": "unprintable",
	} {
		if got := fieldpath.QuoteError(text); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("QuoteError(%s) = %q, want %q", text, got, want)
		}
	}
}
