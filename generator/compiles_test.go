// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/write"
)

// spoiled is an API; so that nothing is downloaded, it says itself what metav1 is.
var spoiled = map[string]string{
	"go.mod":      "module example.com/scratch\n\ngo 1.24.0\n\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => ./meta\n",
	"meta/go.mod": "module k8s.io/apimachinery\n\ngo 1.24.0\n",
	"meta/pkg/apis/meta/v1/types.go": "package v1\n\ntype TypeMeta struct{}\n\ntype ObjectMeta struct {\n\tName string `json:\"name\"`\n}\n\n" +
		"type ListMeta struct{}\n",
	"other/other.go": "package other\n\ntype Size int\n",
	"api/types.go": "// +groupName=example.com\n// +versionName=v1\npackage api\n\n" +
		"import (\n\t\"example.com/scratch/other\"\n\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n)\n\n" +
		"// +index:name=Name,path=.metadata.name\n// +index:name=NameSize,paths={.metadata.name,.size}\n" +
		"type Widget struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata\"`\n\n\tSize *other.Size `json:\"size\"`\n}\n\n" +
		"func (w *Widget) String() string { return undefined }\n",
}

// TestCompiles finds errors in incorrect emitted code and none in correct code, without the runtime
// and without the API types.
func TestCompiles(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	dir := t.TempDir()
	for name, text := range spoiled {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, output := range []string{"", "out"} {
		cfg := Config{Dir: dir, Patterns: []string{"./api"}, Output: output}
		work, err := setDefaultsAndPlan(t.Context(), &cfg)
		if err != nil {
			t.Fatal(err)
		}
		out, err := renderFiles(cfg, work.files)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct{ old, mistake, want string }{
			{"", "", ""},
			{"append(dst, w.Name)", "append(dst, w.Nam)", "api/types.go:3:9: the code emitted for package api would not compile: w.Nam undefined"},
			{"*w.Size", "w.Size", "api/types.go:3:9: the code emitted for package api would not compile: cannot use w.Size"},
			{"size otherpkg.Size", "size Size", "api/types.go:3:9: the code emitted for package api would not compile: undefined: Size"},
			{"func NewWidgetLister(", "func NewWidgetLister(n int, ", "api/types.go:3:9: the code emitted for package api would not compile: not enough arguments in call to NewWidgetLister have ("},
			{"return WidgetLister{", "return Widget{", "api/types.go:3:9: the code emitted for package api would not compile: "},
			{"f := informer.NewFactory()", "g := 1", "api/types.go:3:9: the code emitted for package api would not compile: "},
		} {
			work.program.Report.List = nil
			content := strings.Replace(string(out.Files[0].Content), test.old, test.mistake, 1)
			if err := write.Check(work.files[0], work.program, []byte(content)); err != nil {
				t.Fatal(err)
			}
			got := ""
			if err := work.program.Report.Err(); err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("-o %q, %s for %s: got %q, want %q…", output, test.mistake, test.old, got, test.want)
			}
		}
	}
}
