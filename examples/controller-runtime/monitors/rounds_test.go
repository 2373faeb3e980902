// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package monitors

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	"github.com/indexer-gen/indexer-gen/examples/e2e/absence"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrlabsent"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// forms are those in which a manager reads a type without its Go type: an object, and a list of it.
var forms = map[string]func(schema.GroupVersionKind) (client.Object, client.ObjectList){
	"unstructured": func(kind schema.GroupVersionKind) (client.Object, client.ObjectList) {
		obj, list := &unstructured.Unstructured{}, &unstructured.UnstructuredList{}
		obj.SetGroupVersionKind(kind)
		list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
		return obj, list
	},
	"metadata": func(kind schema.GroupVersionKind) (client.Object, client.ObjectList) {
		obj, list := &metav1.PartialObjectMetadata{}, &metav1.PartialObjectMetadataList{}
		obj.SetGroupVersionKind(kind)
		list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
		return obj, list
	},
}

// A manager starts without its types, and its cache follows them.
func TestTypesThatComeAndGo(t *testing.T) {
	ctrl.SetLogger(logr.Discard())
	api, err := apiserver.Start(t.Context(), apiserver.Options{Progress: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	config := restconfig.New(api.Endpoint)
	config.QPS = -1
	var optional []ctrlruntime.CacheOption
	for _, r := range absence.Types() {
		obj, _ := forms["unstructured"](absence.Kind(r))
		optional = append(optional, ctrlabsent.MayBeAbsent(obj, r.Resource, meta.RESTScopeNamespace))
	}
	m, err := manager.New(config, manager.Options{
		NewCache: ctrlruntime.NewCacheWith(optional...), Metrics: server.Options{BindAddress: "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	var all []*absence.Informer
	for _, r := range absence.Types() {
		for form, of := range forms {
			obj, list := of(absence.Kind(r))
			all = append(all, read(ctx, t, m, obj, list, form+" manager's", r.Resource))
		}
	}
	absence.Run(t, api, all)
}

// read returns the manager's informer of obj, which has synced.
func read(
	ctx context.Context, t *testing.T, m manager.Manager, obj client.Object, list client.ObjectList, of, resource string,
) *absence.Informer {
	synced, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	i, err := m.GetCache().GetInformer(synced, obj)
	if err != nil {
		t.Fatal(err)
	}
	f := &absence.Informer{Of: of, Resource: resource}
	f.Present = func() (bool, <-chan struct{}) { return clientgo.Present(i.(toolscache.SharedInformer)) }
	f.Objects = func() (objects []metav1.Object, err error) {
		found := list.DeepCopyObject().(client.ObjectList)
		err = m.GetCache().List(ctx, found)
		if present, _ := f.Present(); !present && meta.IsNoMatchError(err) {
			return nil, nil
		} else if err != nil || !present {
			return nil, fmt.Errorf("present: %v, a read: %w", present, err)
		}
		err = meta.EachListItem(found, func(o runtime.Object) error {
			objects = append(objects, o.(metav1.Object))
			return nil
		})
		return objects, err
	}
	if _, err := i.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { f.Added(o.(metav1.Object)) },
		UpdateFunc: func(_, o any) { f.Updated(o.(metav1.Object)) },
		DeleteFunc: func(o any) {
			if lost, ok := o.(toolscache.DeletedFinalStateUnknown); ok {
				o = lost.Obj
			}
			f.Deleted(o.(metav1.Object))
		},
	}); err != nil {
		t.Fatal(err)
	}
	return f
}
