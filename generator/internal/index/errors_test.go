// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"testing"
)

// TestErrors says what is wrong with the values in markers, and what to write instead.
func TestErrors(t *testing.T) {
	const fields = "Text string ~json:\"text\"~\nCount *int32 ~json:\"count\"~\nSmall uint8 ~json:\"small\"~"
	for marker, want := range map[string]string{
		`// +index:name=A,if=.spec.small=="3"`:    "if=.spec.small==\"3\": .spec.small is uint8; write .spec.small==3",
		`// +index:name=A,if=.spec.small!="3"`:    "if=.spec.small!=\"3\": .spec.small is uint8; write .spec.small!=3",
		`// +index:name=A,if=.spec.small=="1+1"`:  "if=.spec.small==\"1+1\": .spec.small is uint8; compare it with an integer, as in .spec.small==3",
		`// +index:name=A,if=.spec.small=="many"`: "if=.spec.small==\"many\": .spec.small is uint8; compare it with an integer, as in .spec.small==3",
		`// +index:name=A,if=.spec.small=="300"`:  "if=.spec.small==\"300\": .spec.small is uint8; compare it with an integer, as in .spec.small==3",
		`// +index:name=A,if=.spec.small==300`:    "if=.spec.small==300: .spec.small is uint8, and 300 is no value of it",
		`// +index:name=A,if=.spec.text!=3`:       "if=.spec.text!=3: .spec.text is string; write .spec.text!=\"3\"",
		`// +index:name=A,path=.spec.count,else="3"`: "else=\"3\": path .spec.count leads to int32, of which it is no value; " +
			"write one, or a path, as in else=3",
		`// +index:name=A,path=.spec.text,else=3`: "else=3: path .spec.text leads to string, of which it is no value; " +
			"write one, or a path, as in else=\"3\"",
		`// +index:name=A,path=.spec.count,else="x"`: "else=\"x\": path .spec.count leads to int32, of which it is no value; " +
			"write one, or a path",
		`// +index:name=A,path=.spec.text,else="x\"y"`: "else=\"x\\\"y\": strings have no escapes, and so no backslash; " +
			"write one with a double quote in single quotes, as in 'x\"y'",
		`// +index:name=A,path=.spec.text,else=x`: "else=x: it is neither a path nor a literal; write strings in quotes",
	} {
		if _, bad := build(t, marker, fields, ""); len(bad) != 1 || bad[0] != want {
			t.Errorf("%s: %q\nwant %q", marker, bad, want)
		}
	}
}
