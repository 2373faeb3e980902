// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informers_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	kubeinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo/informers"
)

func pod(namespace, name, app string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, Labels: map[string]string{"app": app}, ResourceVersion: "7",
	}}
}

// ours reports whether package clientgo has made i.
func ours(i cache.SharedInformer) bool {
	_, ok := clientgo.Stats(i)
	return ok
}

// errorsDuring returns the errors that are handled while f runs.
func errorsDuring(f func()) (texts []string) {
	before := utilruntime.ErrorHandlers
	defer func() { utilruntime.ErrorHandlers = before }()
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{
		func(_ context.Context, err error, _ string, _ ...any) { texts = append(texts, err.Error()) },
	}
	f()
	return texts
}

// The namespace, the list options and the transform are given once. The lister comes first.
func TestFactory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client := fake.NewClientset(pod("shop", "web", "web"), pod("shop", "db", "db"), pod("other", "web", "web"))
		factory := informers.NewSharedInformerFactory(client, time.Minute,
			informers.WithNamespace("shop"),
			informers.WithTweakListOptions(func(opts *metav1.ListOptions) { opts.LabelSelector = "app=web" }),
			informers.WithTransform(func(obj any) (any, error) {
				obj.(*corev1.Pod).Annotations = map[string]string{"seen": "true"}
				return obj, nil
			}),
			informers.WithCustomResyncConfig(map[metav1.Object]time.Duration{&corev1.Pod{}: time.Second}))
		lister := factory.Core().V1().Pods().Lister()
		pods := factory.Core().V1().Pods().Informer()
		if !ours(pods) {
			t.Fatal("the informer is client-go's")
		}
		updates := 0
		_, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(any, any) { updates++ }})
		if err != nil {
			t.Fatal(err)
		}
		factory.StartWithContext(ctx)
		if synced := factory.WaitForCacheSyncWithContext(ctx).AsError(); synced != nil {
			t.Fatal(synced)
		}
		time.Sleep(1500 * time.Millisecond) // of the bubble
		synctest.Wait()
		found, err := lister.List(labels.Everything())
		if err != nil || len(found) != 1 || found[0].Namespace != "shop" || found[0].Name != "web" ||
			found[0].Annotations["seen"] != "true" {
			t.Errorf("found %v, %v", found, err)
		}
		if updates != 1 {
			t.Errorf("%d updates of a resync, want 1", updates)
		}
		cancel()
		factory.Shutdown()
	})
}

// laterGroups are API groups that client-go has gained since its 0.36.
var laterGroups = []string{"Lifecycle"}

// Every informer of every API group is ours. Of later groups, an error says that it is not.
func TestGroups(t *testing.T) {
	factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	seen := 0
	for group := range reflect.TypeFor[kubeinformers.SharedInformerFactory]().Methods() {
		if group.Type.NumOut() != 1 || group.Type.Out(0).Name() != "Interface" {
			continue
		}
		var own, others []string
		errs := errorsDuring(func() {
			versions := reflect.ValueOf(factory).MethodByName(group.Name).Call(nil)[0]
			for version := range versions.Type().Methods() {
				kinds := versions.MethodByName(version.Name).Call(nil)[0]
				for kind := range kinds.Type().Methods() {
					i := kinds.MethodByName(kind.Name).Call(nil)[0].MethodByName("Informer").Call(nil)[0]
					if ours(i.Interface().(cache.SharedIndexInformer)) {
						own = append(own, kind.Name)
					} else {
						others = append(others, kind.Name)
					}
				}
			}
		})
		seen += len(own)
		if slices.Contains(laterGroups, group.Name) {
			if own != nil || len(errs) == 0 || !strings.Contains(errs[0], "call InformerFor of package runtime/clientgo") {
				t.Errorf("%s: %v are ours, errors %q", group.Name, own, errs)
			}
		} else if others != nil || errs != nil {
			t.Errorf("%s: %v are client-go's, errors %q: is the group new?", group.Name, others, errs)
		}
	}
	if seen < 50 {
		t.Errorf("%d informers", seen)
	}
}

// ForResource gives our informers of the resources for which client-go has informers.
func TestForResource(t *testing.T) {
	theirs := kubeinformers.NewSharedInformerFactory(fake.NewClientset(), 0)
	factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	seen := 0
	for _, resource := range resources() {
		if _, err := theirs.ForResource(resource); err != nil {
			if _, err := factory.ForResource(resource); err == nil {
				t.Errorf("%v: no error", resource)
			}
			continue
		}
		seen++
		errs := errorsDuring(func() {
			i, err := factory.ForResource(resource)
			if err != nil {
				t.Errorf("%v: %v", resource, err)
			} else if !ours(i.Informer()) {
				t.Errorf("%v: the informer is client-go's", resource)
			}
		})
		if errs != nil {
			t.Errorf("%v: errors %q", resource, errs)
		}
	}
	if seen < 50 {
		t.Errorf("%d resources", seen)
	}
}

// resources returns the resources whose typed clients the clientset has.
func resources() (all []schema.GroupVersionResource) {
	for gv := range reflect.TypeFor[kubernetes.Interface]().Methods() {
		if gv.Type.NumOut() != 1 || gv.Name == "Discovery" {
			continue
		}
		for kind := range gv.Type.Out(0).Methods() {
			if kind.Type.NumOut() != 1 {
				continue
			}
			get, ok := kind.Type.Out(0).MethodByName("Get")
			if !ok || get.Type.NumOut() != 2 {
				continue
			}
			example := reflect.New(get.Type.Out(0).Elem()).Interface().(runtime.Object)
			kinds, _, err := scheme.Scheme.ObjectKinds(example)
			if err != nil {
				continue
			}
			all = append(all, kinds[0].GroupVersion().WithResource(strings.ToLower(kind.Name)))
		}
	}
	return all
}

// An informer that the program makes itself stays, and gets the program's client.
func TestOwnInformer(t *testing.T) {
	client := fake.NewClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	own := factory.InformerFor(&corev1.Pod{}, func(c kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
		if c != kubernetes.Interface(client) {
			t.Errorf("the client is a %T", c)
		}
		return cache.NewSharedIndexInformer(&cache.ListWatch{}, &corev1.Pod{}, resync, cache.Indexers{})
	})
	if got := factory.Core().V1().Pods().Informer(); ours(got) || got.GetStore() != own.GetStore() {
		t.Errorf("another informer came")
	}
	if got, err := factory.ForResource(corev1.SchemeGroupVersion.WithResource("pods")); err != nil || got.Informer().GetStore() != own.GetStore() {
		t.Errorf("ForResource gives another informer: %v", err)
	}
}

// provider records the metrics that are set.
type provider struct {
	cache.InformerMetricsProvider
	set map[string]float64
}

type gauge struct {
	p  *provider
	id cache.InformerNameAndResource
}

func (p *provider) NewStoreResourceVersionMetric(id cache.InformerNameAndResource) cache.GaugeMetric {
	return gauge{p, id}
}

func (g gauge) Set(v float64) {
	g.p.set[g.id.Name()+" "+g.id.GroupVersionResource().Resource] = v
}

// published is the provider of the process, which client-go takes once.
var published = &provider{set: map[string]float64{}}

// A named factory publishes the resourceVersions of its informers.
func TestMetrics(t *testing.T) {
	if _, later := reflect.TypeFor[kubeinformers.SharedInformerFactory]().MethodByName("Lifecycle"); !later {
		t.Skip("client-go 0.36 publishes metrics only through a provider of each informer")
	}
	synctest.Test(t, func(t *testing.T) {
		cache.SetInformerMetricsProvider(published)
		clear(published.set)
		name, err := cache.NewInformerName("test")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		client := fake.NewClientset(pod("shop", "web", "web"))
		factory := informers.NewSharedInformerFactory(client, 0, informers.WithInformerName(name))
		pods := factory.Core().V1().Pods().Informer()
		factory.StartWithContext(ctx)
		factory.WaitForCacheSyncWithContext(ctx)
		update := pod("shop", "web", "web")
		update.ResourceVersion = "9"
		if _, err := client.CoreV1().Pods("shop").Update(ctx, update, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second) // of the bubble
		synctest.Wait()
		if published.set["test pods"] != 9 || pods.LastSyncResourceVersion() != "9" {
			t.Errorf("metrics %v, the informer has resourceVersion %q", published.set, pods.LastSyncResourceVersion())
		}
		cancel()
		factory.Shutdown()
	})
}

// clientgo.InformerFor sees the options of this factory, as those of client-go's.
func TestInformerForSeesTheOptions(t *testing.T) {
	factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0, informers.WithNamespace("shop"))
	if _, err := clientgo.InformerFor(factory, &corev1.Pod{}, clientgo.InformerOptions{}); err == nil {
		t.Error("an informer of all namespaces in a factory of one")
	}
	if _, err := clientgo.InformerFor(factory, &corev1.Pod{}, clientgo.InformerOptions{Namespace: "shop"}); err != nil {
		t.Error(err)
	}
}
