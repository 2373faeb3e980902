// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
)

type podReader = store.Reader[types.NamespacedName, *corev1.Pod]

// running is an informer at work, and its store with an index by node.
type running struct {
	t      *testing.T
	inf    *informer.Informer[*corev1.Pod]
	byNode store.Index[types.NamespacedName, *corev1.Pod, string]
}

// run starts an informer that ends, and is seen to end, with the test.
func run(t *testing.T, src pods, opts ...informer.Option) running {
	t.Helper()
	s := store.ForObjects[*corev1.Pod]()
	byNode := store.AddIndex(
		s,
		"Node",
		func(dst []string, p *corev1.Pod) []string { return append(dst, p.Spec.NodeName) },
	)
	inf := informer.New(corev1.SchemeGroupVersion.WithResource("pods"), src, s, opts...)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- inf.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return running{t, inf, byNode}
}

// until waits for the store to look as cond wants it to.
func (r running) until(what string, cond func(podReader) bool) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	if err := r.inf.Store().Reader().WaitUntil(ctx, cond); err != nil {
		r.t.Fatalf("%s: %v; the informer's last error: %v", what, err, r.inf.LastError())
	}
}

func (r running) synced() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	if err := r.inf.WaitForSync(ctx); err != nil {
		r.t.Fatal(err)
	}
}

// follow changes what a fake clientset holds, and sees the informer follow.
func follow(t *testing.T, client corev1client.PodInterface, r running) {
	t.Helper()
	r.synced()
	r.until("what was there", func(s podReader) bool { return s.Len() == 2 })
	write(t, client.Create)(pod("c"), metav1.CreateOptions{})
	r.until("created", func(s podReader) bool { return s.Len() == 3 })
	moved := pod("a")
	moved.Spec.NodeName = "node-1"
	write(t, client.Update)(moved, metav1.UpdateOptions{})
	r.until(
		"moved",
		func(s podReader) bool { return r.byNode.Count(s, "node-1") == 1 && r.byNode.Count(s, "") == 2 },
	)
	if err := client.Delete(t.Context(), "b", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	r.until("deleted", func(s podReader) bool {
		_, there := s.Get(types.NamespacedName{Namespace: "ns", Name: "b"})
		return !there && s.Len() == 2
	})
}

func TestInformerOverFakeClientset(t *testing.T) {
	for name, clientset := range map[string]*fake.Clientset{
		"simple":  fake.NewSimpleClientset(pod("a"), pod("b")),
		"managed": fake.NewClientset(pod("a"), pod("b")),
	} {
		t.Run(name, func(t *testing.T) {
			client := clientset.CoreV1().Pods("ns")
			follow(t, client, run(t, source.FromClient(client, items)))
			if actions := len(clientset.Actions()); actions > 10 {
				t.Errorf("%d requests", actions)
			}
		})
	}
}

// tombstones passes on the deletions that an informer notifies it of.
type tombstones chan informer.Tombstone[*corev1.Pod]

func (tombstones) OnAdd(*corev1.Pod, bool)                      {}
func (tombstones) OnUpdate(_, _ *corev1.Pod)                    {}
func (c tombstones) OnDelete(t informer.Tombstone[*corev1.Pod]) { c <- t }

// A fake clientset keeps the versions that a test makes up, and sends a deletion with the
// object's last version, which is older than versions that were seen since.
func TestDeletionOverFakeClientsetWithVersions(t *testing.T) {
	client := fake.NewSimpleClientset().CoreV1().Pods("ns")
	r := run(t, source.FromClient(client, items))
	deleted := make(tombstones, 1)
	r.inf.AddEventHandler(deleted)
	r.synced()
	for i, name := range []string{"a", "b"} {
		versioned := pod(name)
		versioned.ResourceVersion = fmt.Sprint(10 + i)
		write(t, client.Create)(versioned, metav1.CreateOptions{})
	}
	r.until("created", func(s podReader) bool { return s.Len() == 2 })
	if err := client.Delete(t.Context(), "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if stone := <-deleted; stone.FinalStateUnknown || stone.Key.Name != "a" {
		t.Errorf("the deletion of %s has FinalStateUnknown %v", stone.Key, stone.FinalStateUnknown)
	}
	changed := pod("b")
	changed.ResourceVersion = "12"
	changed.Spec.NodeName = "node-1"
	write(t, client.Update)(changed, metav1.UpdateOptions{})
	r.until("updated", func(s podReader) bool { return r.byNode.Count(s, "node-1") == 1 })
	if err := r.inf.LastError(); err != nil {
		t.Error(err)
	}
}

// unmarked is a fake client that looks like a real one, as old fakes do: it treats a WatchList as a
// watch and never sends the bookmark.
type unmarked struct{ client corev1client.PodInterface }

func (u unmarked) List(ctx context.Context, opts metav1.ListOptions) (*corev1.PodList, error) {
	return u.client.List(ctx, opts)
}

func (u unmarked) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return u.client.Watch(ctx, opts)
}

func TestInformerOverUnmarkedFake(t *testing.T) {
	client := fake.NewClientset(pod("a"), pod("b")).CoreV1().Pods("ns")
	src := source.FromClient(unmarked{client}, items)
	if src.NoWatchList {
		t.Fatal("the fake is known after all")
	}
	t.Run("falls back", func(t *testing.T) {
		run(t, src, informer.WithReflector(reflector.Settings{WatchListStall: 50 * time.Millisecond})).synced()
	})
	t.Run("is told", func(t *testing.T) {
		follow(t, client, run(t, src, informer.WithReflector(reflector.Settings{NoWatchList: true})))
	})
}

// serveTwoPods answers lists, watches and WatchLists with the pods a and b, and
// has a watch go on with c and with an object that is no Pod.
func serveTwoPods(w http.ResponseWriter, r *http.Request) {
	const object = `{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"ns","name":%q,"uid":%q,"resourceVersion":"%d"},"spec":{"nodeName":%s}}`
	query := r.URL.Query()
	if query.Get("watch") == "" {
		_, _ = fmt.Fprintf(
			w,
			`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"2"},"items":[`+object+`,`+object+`]}`,
			"a",
			"a",
			1,
			`"node-1"`,
			"b",
			"b",
			2,
			`"node-2"`,
		)
		return
	}
	if query.Get("sendInitialEvents") == "true" {
		_, _ = fmt.Fprintf(
			w,
			`{"type":"ADDED","object":`+object+`}{"type":"ADDED","object":`+object+`}`,
			"a",
			"a",
			1,
			`"node-1"`,
			"b",
			"b",
			2,
			`"node-2"`,
		)
		_, _ = io.WriteString(
			w,
			`{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"2","annotations":{"k8s.io/initial-events-end":"true"}}}}`,
		)
	}
	_, _ = fmt.Fprintf(
		w,
		`{"type":"ADDED","object":`+object+`}{"type":"MODIFIED","object":`+object+`}`,
		"c",
		"c",
		3,
		`"node-1"`,
		"b",
		"b",
		4,
		`["node-2"]`,
	)
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func TestInformerOverHTTP(t *testing.T) {
	for name, src := range both(t, serveTwoPods) {
		for mode, noWatchList := range map[string]bool{"WatchList": false, "LIST": true} {
			t.Run(name+" by "+mode, func(t *testing.T) {
				r := run(t, src, informer.WithReflector(reflector.Settings{NoWatchList: noWatchList}))
				r.synced()
				r.until(
					"c is there",
					func(s podReader) bool { return r.byNode.Count(s, "node-1") == 2 && s.Len() == 3 },
				)
				if name != "wire" {
					return // client-go gives up the watch at the object that is no Pod
				}
				b := types.NamespacedName{Namespace: "ns", Name: "b"}
				r.until(
					"b is stale",
					func(s podReader) bool { return s.Stale(b) && s.ResourceVersion() == "4" },
				)
				if last, _ := r.inf.Store().Reader().Get(b); last == nil || last.Spec.NodeName != "node-2" {
					t.Errorf("the last good state of b is lost: %+v", last)
				}
			})
		}
	}
}
