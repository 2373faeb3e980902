// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnions unites the markers of one name. An option of the whole index may stand on any of them.
func TestUnions(t *testing.T) {
	const fields = "A string ~json:\"a\"~\nB string ~json:\"b\"~\nC string ~json:\"c\"~\nN int32 ~json:\"n\"~"
	const state, path, paths = "name=U,if=.spec.%s==\"x\"", "name=U,path=.spec.%s", "name=U,paths={.spec.%s,.spec.n}"
	for _, test := range []struct{ marker, a, b, c, want string }{
		{path, "", "", "", `"" "" false false .spec.a .spec.b .spec.c`},
		{path, `,indexName="i"`, "", "", `"i" "" false false .spec.a .spec.b .spec.c`},
		{path, "", "", `,indexName="i"`, `"i" "" false false .spec.a .spec.b .spec.c`},
		{path, "", `,indexName="i"`, `,indexName="i",unique=true`, `"i" "" true false .spec.a .spec.b .spec.c`},
		{path, "", ",unique=true", ",ordered=true", `"" "" true true .spec.a .spec.b .spec.c`},
		{paths, "", `,format="%%s:%%s"`, "", `"" "%s:%s" false false .spec.a .spec.b .spec.c`},
		{state, "", "", `,value="v"`, `"" "" false false "v" "v" "v"`},
		{state, `,value="v"`, "", "", `"" "" false false "v" "v" "v"`},
		{path, `,indexName="i"`, "", `,indexName="j"`, "example.com/api/v1/types.go:9:4; they make one index of both, and so need the " +
			`same indexName, not "i" and "j"; write indexName= once, or change one name=`},
		{path, "", ",unique=false", ",unique=true", "example.com/api/v1/types.go:10:4; they make one index of both, and so need the " +
			"same unique, not false and true; write unique= once, or change one name="},
		{state, "", `,value="v"`, `,value="w"`, "example.com/api/v1/types.go:10:4; they make one index of both, and so need the " +
			`same value, not "v" and "w"; write value= once, or change one name=`},
	} {
		var markers []string
		for i, more := range []string{test.a, test.b, test.c} {
			markers = append(markers, "// +index:"+fmt.Sprintf(test.marker+more, string("abc"[i])))
		}
		indexes, bad := build(t, strings.Join(markers, "\n"), fields, "")
		got := strings.Join(bad, "\n")
		if got == "" && len(indexes) == 1 {
			u := indexes[0]
			got = fmt.Sprintf("%q %q %t %t", u.IndexName, u.Format, u.Unique, u.Ordered)
			for _, source := range u.Sources() {
				got += " " + source.Parts[0].Path
			}
		}
		if !strings.HasSuffix(got, test.want) {
			t.Errorf("%q: %s\nwant %s", markers, got, test.want)
		}
	}
}

// TestRefusedUnion reports what is wrong with a union alone: not that its first source is the whole index.
func TestRefusedUnion(t *testing.T) {
	_, bad := build(t, "// +index:name=U,path=.spec.a,unique=true\n// +index:name=U,path=.spec.b,unique=false",
		"// +index\nA string ~json:\"a\"~\nB string ~json:\"b\"~", "")
	if len(bad) != 1 || !strings.Contains(bad[0], "need the same unique") {
		t.Errorf("the errors are %q", bad)
	}
}

// TestUnionsThatShareASource has a union whose sources are whole indexes, too, before and after these.
func TestUnionsThatShareASource(t *testing.T) {
	indexes, bad := build(t, "// +index:name=U,path=.spec.a\n// +index:name=U,path=.spec.b\n// +index:name=V,path=.spec.a\n// +index:name=V,path=.spec.c",
		"// +index\nA string ~json:\"a\"~\n// +index\nB string ~json:\"b\"~\nC string ~json:\"c\"~", "")
	if len(bad) > 0 || len(indexes) != 4 {
		t.Errorf("the errors are %q, and %d indexes are built", bad, len(indexes))
	}
}
