// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type (
	object = metav1.PartialObjectMetadata
	list   = metav1.PartialObjectMetadataList
)

func named(name, resourceVersion string) object {
	return object{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, ResourceVersion: resourceVersion},
	}
}

// client answers with what it is told to, and records what it was asked.
type client struct {
	list     *list
	watch    watch.Interface
	err      error
	lastOpts metav1.ListOptions
}

func (c *client) List(_ context.Context, opts metav1.ListOptions) (*list, error) {
	c.lastOpts = opts
	return c.list, c.err
}

func (c *client) Watch(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	c.lastOpts = opts
	return c.watch, c.err
}

func items(l *list) []object { return l.Items }

func from(c *client) source.Source[*object] { return source.FromClient(c, items) }

// recorded is a watch with all of its events there.
type recorded struct {
	events  chan watch.Event
	stopped int
}

func record(events ...watch.Event) *recorded {
	r := &recorded{events: make(chan watch.Event, len(events))}
	for _, event := range events {
		r.events <- event
	}
	return r
}

// ended closes the stream behind the last event.
func (r *recorded) ended() *recorded {
	close(r.events)
	return r
}

func (r *recorded) Stop()                          { r.stopped++ }
func (r *recorded) ResultChan() <-chan watch.Event { return r.events }

// event is what a watch passes at once.
type event[T any] struct {
	source.Delta[T]
	version string
	err     error
}

func collect[T any](t *testing.T, src source.ListerWatcher[T]) (events []event[T], err error) {
	t.Helper()
	err = src.Watch(t.Context(), metav1.ListOptions{}, func(d source.Delta[T], version string, err error) error {
		events = append(events, event[T]{d, version, err})
		return nil
	})
	return events, err
}

func TestListFromClient(t *testing.T) {
	full := &list{
		ListMeta: metav1.ListMeta{ResourceVersion: "9", Continue: "c"},
		Items:    []object{named("a", "1"), named("b", "")},
	}
	full.Items[0].TypeMeta = metav1.TypeMeta{Kind: "Thing", APIVersion: "v1"}
	c := &client{list: full}
	var got []string
	meta, err := from(
		c,
	).List(t.Context(), metav1.ListOptions{Limit: 2, Watch: true}, func(item source.Delta[*object], err error) error {
		if err != nil || item.Type != delta.Replaced || item.Key.Name != item.Object.Name || item.Object.TypeMeta != (metav1.TypeMeta{}) {
			t.Errorf("%+v", item)
		}
		item.Object.Labels = map[string]string{"mine": "true"}
		got = append(got, item.Object.Name)
		return nil
	})
	if err != nil || strings.Join(got, " ") != "a b" || meta.ResourceVersion != "9" || meta.Continue != "c" {
		t.Errorf("%v, %+v, %v", got, meta, err)
	}
	if full.Items[0].Labels != nil || full.Items[0].Kind != "Thing" {
		t.Error("the objects are the list's own")
	}
	if c.lastOpts.Watch || c.lastOpts.Limit != 2 {
		t.Errorf("asked with %+v", c.lastOpts)
	}
}

func TestListFromClientErrors(t *testing.T) {
	forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "things"}, "", errors.New("no"))
	none := func(source.Delta[*object], error) error { return nil }
	if _, err := from(&client{err: forbidden}).List(t.Context(), metav1.ListOptions{}, none); !same(
		err,
		forbidden,
	) {
		t.Errorf("got %v", err)
	}
	stop := errors.New("enough")
	calls := 0
	two := &client{list: &list{Items: []object{named("a", "1"), named("b", "2")}}}
	_, err := from(
		two,
	).List(t.Context(), metav1.ListOptions{}, func(source.Delta[*object], error) error { calls++; return stop })
	if !same(err, stop) || calls != 1 {
		t.Errorf("%v after %d", err, calls)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := from(&client{err: context.Canceled}).List(ctx, metav1.ListOptions{}, none); !same(
		err,
		stop,
	) {
		t.Errorf("got %v instead of the cause", err)
	}
}

// An object that is kept must not keep the other objects of its list.
func TestObjectsDoNotPinTheirList(t *testing.T) {
	c := &client{list: &list{Items: make([]object, 1000)}}
	array := weak.Make(&c.list.Items[0])
	var kept *object
	if _, err := from(c).List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*object], err error) error {
		kept = item.Object
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	c.list = nil
	runtime.GC()
	if array.Value() != nil {
		t.Error("the list is still held")
	}
	runtime.KeepAlive(kept)
}

func TestWatchFromClient(t *testing.T) {
	a, b, end := named("a", "1"), named("b", "2"), named("", "3")
	b.TypeMeta.Kind = "Thing"
	end.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	w := record(
		watch.Event{Type: watch.Added, Object: &a},
		watch.Event{Type: watch.Modified, Object: &b},
		watch.Event{Type: watch.Deleted, Object: &a},
		watch.Event{Type: watch.Bookmark, Object: &end},
		watch.Event{Type: watch.Bookmark, Object: &a},
	).ended()
	c := &client{watch: w}
	events, err := collect(t, from(c))
	if err != nil || len(events) != 5 || w.stopped != 1 || !c.lastOpts.Watch {
		t.Fatalf("%d events, %v, stopped %d times, asked with %+v", len(events), err, w.stopped, c.lastOpts)
	}
	if e := events[0]; e.Type != delta.Added || e.Object != &a || e.version != "1" || e.Key.Name != "a" {
		t.Errorf("%+v", e)
	}
	if e := events[1]; e.Type != delta.Updated || e.Object.Name != "b" || e.Object.Kind != "" || b.Kind != "Thing" {
		t.Errorf("%+v", e)
	}
	if e := events[2]; e.Type != delta.Deleted || e.Object != &a {
		t.Errorf("%+v", e)
	}
	if e := events[3]; e.Type != delta.InitialEnd || e.Object != nil || e.version != "3" {
		t.Errorf("%+v", e)
	}
	if e := events[4]; e.Type != delta.Bookmark || e.Object != nil {
		t.Errorf("%+v", e)
	}
}

func TestWatchFromClientWrongObjects(t *testing.T) {
	other := &nameless{}
	foreign := &stray{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "x", ResourceVersion: "8"}}
	b := named("b", "2")
	events, err := collect(t, from(&client{watch: record(
		watch.Event{Type: watch.Added, Object: foreign},
		watch.Event{Type: watch.Deleted, Object: other},
		watch.Event{Type: watch.Added},
		watch.Event{Type: watch.Added, Object: (*object)(nil)},
		watch.Event{Type: watch.Added, Object: &b},
	).ended()}))
	if err != nil || len(events) != 5 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	if e := events[0]; e.Object != nil || e.Type != delta.Stale || e.Key != (types.NamespacedName{Namespace: "ns", Name: "x"}) ||
		e.version != "8" ||
		!strings.Contains(
			e.err.Error(),
			"ns/x: a watch event of type ADDED came with a *source_test.stray instead of a *v1.PartialObjectMetadata",
		) {
		t.Errorf("%+v", e)
	}
	for _, e := range events[1:4] {
		if e.Type != delta.NoKey || e.Object != nil || e.err == nil {
			t.Errorf("%+v", e)
		}
	}
	if events[4].Object != &b {
		t.Errorf("%+v", events[4])
	}
}

func TestWatchFromClientErrors(t *testing.T) {
	gone := &metav1.Status{Status: metav1.StatusFailure, Code: 410, Reason: metav1.StatusReasonExpired}
	for name, test := range map[string]struct {
		client client
		is     func(error) bool
	}{
		"refused":             {client{err: apierrors.NewUnauthorized("who?")}, apierrors.IsUnauthorized},
		"status":              {client{watch: record(watch.Event{Type: watch.Error, Object: gone})}, apierrors.IsResourceExpired},
		"error with a thing":  {client{watch: record(watch.Event{Type: watch.Error, Object: &object{}})}, says("unexpected object")},
		"error with nothing":  {client{watch: record(watch.Event{Type: watch.Error})}, says("unexpected object")},
		"unknown type":        {client{watch: record(watch.Event{Type: "RENAMED", Object: &object{}})}, says("RENAMED")},
		"bookmark of nothing": {client{watch: record(watch.Event{Type: watch.Bookmark})}, says("BOOKMARK")},
	} {
		_, err := collect(t, from(&test.client))
		if err == nil || !test.is(err) {
			t.Errorf("%s: %v", name, err)
		}
		if w, ok := test.client.watch.(*recorded); ok && w.stopped != 1 {
			t.Errorf("%s: stopped %d times", name, w.stopped)
		}
	}
}

func says(part string) func(error) bool {
	return func(err error) bool { return strings.Contains(err.Error(), part) }
}

func TestWatchFromClientEndsWithItsContext(t *testing.T) {
	reason := errors.New("the program ends")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	a := named("a", "1")
	w := record(watch.Event{Type: watch.Added, Object: &a})
	last := from(&client{watch: w}).Watch(ctx, metav1.ListOptions{}, func(source.Delta[*object], string, error) error {
		cancel(reason)
		return nil
	})
	if !same(last, reason) || w.stopped != 1 {
		t.Errorf("%v, stopped %d times", last, w.stopped)
	}
	// A client that ends its stream because of the context says the same.
	last = from(&client{watch: record().ended()}).Watch(ctx, metav1.ListOptions{}, nil)
	if !same(last, reason) {
		t.Errorf("%v", last)
	}
}

func TestWatchFromClientIsStoppedByErrorAndPanic(t *testing.T) {
	a := named("a", "1")
	w := record(watch.Event{Type: watch.Added, Object: &a})
	mine := errors.New("mine")
	err := from(&client{watch: w}).Watch(t.Context(), metav1.ListOptions{}, func(source.Delta[*object], string, error) error {
		return mine
	})
	if err != mine || w.stopped != 1 {
		t.Errorf("after an error: %v, stopped %d times", err, w.stopped)
	}
	w = record(watch.Event{Type: watch.Added, Object: &a})
	func() {
		defer func() { _ = recover() }()
		_ = from(&client{watch: w}).Watch(t.Context(), metav1.ListOptions{}, func(source.Delta[*object], string, error) error {
			panic("in each")
		})
	}()
	if w.stopped != 1 {
		t.Errorf("after panic: stopped %d times", w.stopped)
	}
}

// stray is an object of another type, nameless none at all.
type stray struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (s *stray) DeepCopyObject() kruntime.Object { return s }

type nameless struct{ metav1.TypeMeta }

func (n *nameless) DeepCopyObject() kruntime.Object { return n }

// same tells whether got is want itself: not even wrapped.
func same(got, want error) bool {
	return got == want
}

// pointers is a list whose items are pointers.
type pointers struct {
	metav1.ListMeta
	items []*object
}

type pointersClient struct{ list *pointers }

func (c pointersClient) List(context.Context, metav1.ListOptions) (*pointers, error) {
	return c.list, nil
}

func (c pointersClient) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return watch.NewEmptyWatch(), nil
}

// TestFromPointers copies what is in the list, and passes over nothing.
func TestFromPointers(t *testing.T) {
	a, b := named("a", "1"), named("b", "2")
	a.Kind = "Object"
	c := pointersClient{&pointers{metav1.ListMeta{ResourceVersion: "7"}, []*object{&a, nil, &b}}}
	var got []*object
	meta, err := source.FromPointers(c, func(l *pointers) []*object { return l.items }).List(t.Context(), metav1.ListOptions{}, func(i source.Delta[*object], err error) error {
		got = append(got, i.Object)
		return nil
	})
	if err != nil || meta.ResourceVersion != "7" || len(got) != 2 || got[0].Name != "a" || got[1].Name != "b" {
		t.Fatalf("List() = %v, %v, %v", meta, got, err)
	}
	if got[0] == &a || got[0].Kind != "" || a.Kind != "Object" {
		t.Error("the object in the list was handed out or changed")
	}
}
