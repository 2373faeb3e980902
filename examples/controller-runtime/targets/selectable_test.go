// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package targets

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
)

// An API server answers queries of selectable fields, to a reader without a cache.
func TestSelectableFieldsWithoutCache(t *testing.T) {
	server, err := apiserver.Start(t.Context(),
		apiserver.Options{CRDs: []string{"testdata/gadgets.yaml"}, Progress: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(GroupVersion.WithKind("Gadget"), meta.RESTScopeNamespace)
	c, err := client.New(restconfig.New(server.Endpoint), client.Options{Scheme: scheme(t), Mapper: mapper})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, rack := range map[string]string{"a": "r 1", "b": "a=b,c", "none": ""} {
		g := &Gadget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
		g.Spec.Rack = rack
		if err := c.Create(ctx, g); err != nil {
			t.Fatal(err)
		}
		found, err := NewGadgetReader(c).ByRack(ctx, rack)
		if err != nil || len(found) != 1 || found[0].Name != name {
			t.Errorf("rack %q: %v, %v; want %s", rack, found, err, name)
		}
	}
	if _, err := NewGadgetReader(c).BySite(ctx, ""); err == nil || !strings.Contains(err.Error(), "spec.site") {
		t.Errorf("a field that is not selectable: %v", err)
	}
}
