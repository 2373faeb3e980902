// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/loadtest"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/generator/internal/write"
	"github.com/indexer-gen/indexer-gen/templates"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// TestPreviousTargets names the targets whose files a package has, if -check is of others.
func TestPreviousTargets(t *testing.T) {
	for _, test := range []struct {
		run, there []model.Target
		check      bool
		want       string
	}{
		{[]model.Target{model.Native}, []model.Target{model.ControllerRuntime}, true,
			"api has no zz_generated.indexers.go; it has files of controller-runtime; run with -target=controller-runtime"},
		{[]model.Target{model.ClientGo}, []model.Target{model.Native, model.ControllerRuntime}, true,
			"api has no zz_generated.indexers.clientgo.go; it has files of native,controller-runtime; run with -target=native,controller-runtime"},
		{[]model.Target{model.Native}, []model.Target{model.Native, model.ClientGo}, true, ""},
		{[]model.Target{model.Native}, []model.Target{model.ControllerRuntime}, false, ""},
		{[]model.Target{model.Native}, nil, true, ""},
	} {
		p, pkg := loadtest.Program(t, loadtest.Widget("// +index:generate\n", ""))
		p.Report.Dir = t.TempDir()
		dest := target.Destination{Dir: filepath.Join(p.Report.Dir, "api"), Path: loadtest.Path}
		if err := os.Mkdir(dest.Dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, dest.Target = range test.there {
			if err := os.WriteFile(dest.File(), []byte(templates.Generated+"\n\npackage api\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var files []*plan.File
		for _, dest.Target = range test.run {
			files = append(files, &plan.File{Pkg: pkg, Dest: dest})
		}
		dirs := write.Previous(p, target.Options{Targets: test.run}, files, test.check)
		got := ""
		if len(p.Report.List) == 1 {
			got = p.Report.List[0].Message
		}
		if got != test.want || got != "" && len(dirs) > 0 {
			t.Errorf("%v with files of %v: %q in %v, want %q", test.run, test.there, got, dirs, test.want)
		}
	}
}
