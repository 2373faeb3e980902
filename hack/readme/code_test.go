// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package readme

import (
	"path/filepath"
	"strings"
	"testing"
)

// The Go blocks of the README, in order: what stands around each so that it is a file, or
// which file of the examples has it.
var around = []struct{ file, before, after string }{
	{"before/before.go", `package before
import (
	"fmt"
	"k8s.io/client-go/tools/cache"
	"example.com/consumer/v1alpha1"
)
func before(informer cache.SharedIndexInformer) error {
`, `return nil
}`},
	{"after/after.go", `package after
import (
	"fmt"
	"example.com/consumer/v1alpha1"
)
func after(devices v1alpha1.DeviceLister) {
`, `}`},
	{"api/v1alpha1/types.go", "", ""},
	{"use/use.go", `package use
import (
	"context"
	"fmt"
	"log/slog"
	"time"
	"example.com/consumer/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
)
func use(ctx context.Context) error {
`, `return nil
}`},
	{"handles/handles.go", `package handles
import (
	"context"
	"fmt"
	"example.com/consumer/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)
func handles(ctx context.Context, widgets v1alpha1.WidgetLister) {
`, `}`},
	{"one/one.go", `package one
import (
	"fmt"
	"example.com/consumer/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)
func one(conn wire.Conn, informers *v1alpha1.Informers) {
`, `}`},
	{"write/write.go", `package write
import (
	"context"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/gentype"
	"example.com/consumer/api/v1alpha1"
)
func write(ctx context.Context, widgets v1alpha1.WidgetLister, client *gentype.Client[*v1alpha1.Widget]) error {
`, `return nil
}`},
	{"sources/sources.go", `package sources
import (
	"context"
	"k8s.io/client-go/gentype"
	"example.com/consumer/api/v1alpha1"
)
func sources(client *gentype.ClientWithList[*v1alpha1.Widget, *v1alpha1.WidgetList]) {
`, `var _ func(context.Context) error = informers.Run
}`},
	{"examples/controller-runtime/controller.go", "", ""},
	{"unit/unit.go", `package unit
import (
	"testing"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"example.com/consumer/api/v1alpha1"
)
func unit(t *testing.T) {
`, `}`},
	{"whole/whole.go", `package whole
import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"example.com/consumer/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)
func whole() {
`, `_ = informers
}`},
}

// TestGoBlocks generates for the README's own types, and compiles every Go block.
func TestGoBlocks(t *testing.T) {
	repo, dir := repository(t), t.TempDir()
	found := blocks(t, "go")
	if len(found) != len(around) {
		t.Fatalf("the README has %d Go blocks, the test knows %d", len(found), len(around))
	}
	for i, block := range found {
		if strings.HasPrefix(around[i].file, "examples/") {
			if !strings.Contains(read(t, filepath.Join(repo, around[i].file)), block) {
				t.Errorf("the README has another code than %s:\n%s", around[i].file, block)
			}
			continue
		}
		write(t, filepath.Join(dir, around[i].file), around[i].before+block+around[i].after)
	}
	// The opening pair is about the quickstart's devices.
	api := filepath.Join(repo, "examples", "quickstart", "api", "v1alpha1")
	for _, name := range []string{"device_types.go", "site_types.go", "groupversion_info.go", "zz_generated.deepcopy.go", "zz_generated.indexers.go"} {
		write(t, filepath.Join(dir, "v1alpha1", name), read(t, filepath.Join(api, name)))
	}
	mod := read(t, filepath.Join(repo, "hack", "go.mod"))
	mod = strings.Replace(mod, "module github.com/indexer-gen/indexer-gen/hack", "module example.com/consumer", 1)
	mod += "\nrequire " + kubeconnPath + " v0.0.0\nreplace " + kubeconnPath + " => ../runtime/kubeconn\n"
	mod = strings.ReplaceAll(mod, "=> ../", "=> "+repo+"/")
	write(t, filepath.Join(dir, "go.mod"), mod)
	write(t, filepath.Join(dir, "go.sum"), read(t, filepath.Join(repo, "hack", "go.sum")))

	// client-gen's clients are of types with DeepCopyObject.
	command(t, dir, nil, "go", "run", "sigs.k8s.io/controller-tools/cmd/controller-gen", "object", "paths=./api/...")
	command(t, dir, nil, "go", "run", "github.com/indexer-gen/indexer-gen/cmd/indexer-gen", "./api/...")
	command(t, dir, []string{"GOFLAGS=-mod=mod -buildvcs=false"}, "go", "build", "./...")
}

// The commands that the README gives a newcomer are those that CI runs.
func TestNewcomersCommandsAreCI(t *testing.T) {
	ci := read(t, filepath.Join(repository(t), ".ci", "run"))
	for _, block := range blocks(t, "sh")[:2] {
		if !strings.Contains(ci, "\n"+block) {
			t.Errorf("CI does not run %q", block)
		}
	}
}
