// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
)

// forms are the ways to read Pods and Nodes, and ConfigMaps, which the mapper does not know.
var forms = map[string]struct {
	object func(kind string) client.Object
	list   func(kind string) client.ObjectList
}{
	"structured": {
		func(kind string) client.Object {
			return map[string]client.Object{"Pod": &corev1.Pod{}, "Node": &corev1.Node{}, "ConfigMap": &corev1.ConfigMap{}}[kind]
		},
		func(kind string) client.ObjectList {
			return map[string]client.ObjectList{
				"Pod": &corev1.PodList{}, "Node": &corev1.NodeList{}, "ConfigMap": &corev1.ConfigMapList{},
			}[kind]
		},
	},
	"unstructured": {
		func(kind string) client.Object {
			u := &unstructured.Unstructured{}
			u.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind(kind))
			return u
		},
		func(kind string) client.ObjectList {
			u := &unstructured.UnstructuredList{}
			u.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind(kind + "List"))
			return u
		},
	},
	"metadata": {
		func(kind string) client.Object {
			p := &metav1.PartialObjectMetadata{}
			p.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind(kind))
			return p
		},
		func(kind string) client.ObjectList {
			p := &metav1.PartialObjectMetadataList{}
			p.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind(kind + "List"))
			return p
		},
	},
}

func fillServer(s *apiServer) {
	for _, name := range []string{"a/1", "a/2", "b/1", "b/2", "b/3", "c/1"} {
		namespace, name, _ := strings.Cut(name, "/")
		s.pods.Set(&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: namespace, Name: name,
				Labels:      map[string]string{"app": "app-" + name},
				Annotations: map[string]string{"zone": "zone-" + namespace},
			},
			Spec: corev1.PodSpec{NodeName: "node-" + name},
		})
	}
	s.nodes.Set(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "1", Labels: map[string]string{"app": "app-1"}}})
}

func addIndexes(t testing.TB, c cache.Cache, form string) {
	for field, value := range map[string]func(client.Object) []string{
		"name": func(obj client.Object) []string { return []string{obj.GetName()} },
		"zone": func(obj client.Object) []string { return []string{obj.GetAnnotations()["zone"]} },
	} {
		for _, kind := range []string{"Pod", "Node"} {
			if err := c.IndexField(t.Context(), forms[form].object(kind), field, value); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// describe returns objects as sorted JSON, and whether reading gives shared objects.
func describe(objs []runtime.Object, again []runtime.Object) string {
	var lines []string
	for _, obj := range objs {
		text, err := json.Marshal(obj)
		if err != nil {
			return err.Error()
		}
		shared := false
		for _, other := range again {
			shared = shared || labelsOf(obj) == labelsOf(other)
		}
		lines = append(lines, fmt.Sprintf("%s shared: %t", text, shared))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// labelsOf returns the address of the labels of obj, which package wire may share between objects.
func labelsOf(obj runtime.Object) uintptr {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return reflect.ValueOf(u.Object).Pointer()
	}
	m, _ := meta.Accessor(obj)
	return reflect.ValueOf(m.GetLabels()).Pointer()
}

// Our cache returns what controller-runtime's returns, for all options and forms.
func TestReads(t *testing.T) {
	yes, no := new(true), new(false)
	inNamespace := func(name string) fields.Selector { return fields.OneTermEqualSelector("metadata.namespace", name) }
	everything := map[string]cache.Options{
		"default":               {},
		"several namespaces":    {DefaultNamespaces: map[string]cache.Config{"a": {}, "b": {}}},
		"one namespace":         {DefaultNamespaces: map[string]cache.Config{"b": {}}},
		"all and one":           {DefaultNamespaces: map[string]cache.Config{"": {}, "b": {UnsafeDisableDeepCopy: yes}}},
		"all by selector":       {DefaultNamespaces: map[string]cache.Config{"": {FieldSelector: inNamespace("a")}, "b": {}}},
		"one twice":             {DefaultNamespaces: map[string]cache.Config{"": {FieldSelector: inNamespace("b")}, "b": {}}},
		"label selector":        {DefaultLabelSelector: labels.SelectorFromSet(labels.Set{"app": "app-1"})},
		"shared":                {DefaultUnsafeDisableDeepCopy: yes},
		"shared, one namespace": {DefaultUnsafeDisableDeepCopy: yes, DefaultNamespaces: map[string]cache.Config{"a": {UnsafeDisableDeepCopy: no}, "b": {}}},
		"only informers":        {ReaderFailOnMissingInformer: true},
		"transform": {DefaultTransform: func(obj any) (any, error) {
			m, _ := meta.Accessor(obj)
			m.SetAnnotations(map[string]string{"zone": "zone-t"})
			return obj, nil
		}},
		"renaming transform": {DefaultTransform: func(obj any) (any, error) {
			m, _ := meta.Accessor(obj)
			m.SetName("new-" + strings.TrimPrefix(m.GetName(), "new-")) // controller-runtime calls it twice for some objects
			return obj, nil
		}},
		"by object": {
			DefaultUnsafeDisableDeepCopy: yes,
			DefaultNamespaces:            map[string]cache.Config{"b": {UnsafeDisableDeepCopy: yes}, "c": {}},
			ByObject: map[client.Object]cache.ByObject{
				&corev1.Pod{}: {
					UnsafeDisableDeepCopy: no,
					Namespaces:            map[string]cache.Config{"a": {UnsafeDisableDeepCopy: yes}, "b": {}},
				},
				&corev1.Node{}: {Label: labels.SelectorFromSet(labels.Set{"app": "app-2"})},
			},
		},
		"by object, all namespaces": {
			DefaultNamespaces: map[string]cache.Config{"a": {UnsafeDisableDeepCopy: yes}},
			ByObject: map[client.Object]cache.ByObject{
				&corev1.Pod{}: {UnsafeDisableDeepCopy: no, Namespaces: map[string]cache.Config{}},
			},
		},
		"by object, namespaces by default": {
			DefaultNamespaces: map[string]cache.Config{"a": {UnsafeDisableDeepCopy: yes}, "b": {}},
			ByObject:          map[client.Object]cache.ByObject{&corev1.Pod{}: {UnsafeDisableDeepCopy: no}},
		},
	}
	s := newAPIServer(t)
	fillServer(s)
	for name, opts := range everything {
		for form := range forms {
			t.Run(name+"/"+form, func(t *testing.T) {
				t.Parallel()
				prepare := func(c cache.Cache) {
					if !opts.ReaderFailOnMissingInformer {
						addIndexes(t, c, form)
					}
				}
				theirs := readAll(t, start(t, cache.New, s, opts, prepare), form)
				ours := readAll(t, start(t, ctrlruntime.NewCache, s, opts, prepare), form)
				if len(ours) != len(theirs) {
					t.Errorf("%d results, want %d", len(ours), len(theirs))
				}
				for read := range ours {
					if ours[read] != theirs[read] {
						t.Errorf("%s:\nours\n%s\ntheirs\n%s", read, ours[read], theirs[read])
					}
				}
			})
		}
	}
}

// readAll returns the results of reads by their description.
func readAll(t *testing.T, c cache.Cache, form string) map[string]string {
	ctx, f := testContext(t), forms[form]
	if !c.WaitForCacheSync(ctx) {
		t.Fatal("the cache has not synced")
	}
	results := map[string]string{}
	for _, kind := range []string{"Pod", "Node"} {
		for _, key := range []string{"a/1", "b/1", "c/1", "b/none", "/1", "a/new-1", "/new-1"} {
			namespace, name, _ := strings.Cut(key, "/")
			for _, opts := range [][]client.GetOption{nil, {client.UnsafeDisableDeepCopy}} {
				if kind == "Node" && opts != nil {
					continue // with several namespaces, controller-runtime ignores the option
				}
				one, two := f.object(kind), f.object(kind)
				err := c.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, one, opts...)
				_ = c.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, two, opts...)
				result := describe([]runtime.Object{one}, []runtime.Object{two})
				if err != nil {
					result = fmt.Sprintf("error: %T", err)
				}
				results[fmt.Sprintf("get %s %s %d", kind, key, len(opts))] = result
			}
		}
		for name, opts := range map[string][]client.ListOption{
			"all":                    nil,
			"in b":                   {client.InNamespace("b")},
			"in c":                   {client.InNamespace("c")},
			"in none":                {client.InNamespace("none")},
			"with a label":           {client.MatchingLabels{"app": "app-1"}},
			"with a label in b":      {client.MatchingLabels{"app": "app-1"}, client.InNamespace("b")},
			"with a field":           {client.MatchingFields{"name": "1"}},
			"with two fields":        {client.MatchingFields{"name": "1", "zone": "zone-b"}},
			"with two fields in b":   {client.MatchingFields{"name": "1", "zone": "zone-b"}, client.InNamespace("b")},
			"with fields and labels": {client.MatchingFields{"name": "1"}, client.MatchingLabels{"app": "app-1"}},
			"with an unknown field":  {client.MatchingFields{"other": "1"}},
			"with unlike fields":     {client.MatchingFieldsSelector{Selector: fields.OneTermNotEqualSelector("name", "1")}},
			"with no field":          {client.MatchingFieldsSelector{Selector: fields.Everything()}},
			"continued":              {client.Continue("x")},
			"shared":                 {client.UnsafeDisableDeepCopy},
			"none":                   {client.Limit(2), client.MatchingLabels{"app": "none"}},
		} {
			one, two := f.list(kind), f.list(kind)
			err := c.List(ctx, one, opts...)
			_ = c.List(ctx, two, opts...)
			items, _ := meta.ExtractList(one)
			again, _ := meta.ExtractList(two)
			result := describe(items, again) + "\ncontinue: " + one.GetContinue()
			if err != nil {
				result = fmt.Sprintf("error: %T", err)
			}
			results["list "+kind+" "+name] = result
		}
		limited := f.list(kind)
		err := c.List(ctx, limited, client.Limit(2))
		results["list two "+kind] = fmt.Sprint(meta.LenList(limited), err)
	}
	for _, namespace := range []string{"", "a", "none"} {
		errs := []error{
			c.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "1"}, f.object("ConfigMap")),
			c.List(ctx, f.list("ConfigMap"), client.InNamespace(namespace)),
		}
		for _, err := range errs {
			if _, notCached := err.(*cache.ErrResourceNotCached); !notCached && !meta.IsNoMatchError(err) {
				results["unknown kind in "+namespace] = fmt.Sprintf("%T: %[1]v", err)
			}
		}
	}
	return results
}
