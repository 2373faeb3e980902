// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	kwatch "k8s.io/apimachinery/pkg/watch"
)

// asked is an object that counts the calls of GetName.
type asked struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	times *int
}

func (a *asked) GetName() string {
	if a.times != nil {
		*a.times++
	}
	return a.ObjectMeta.GetName()
}

func (a *asked) DeepCopyObject() kruntime.Object { return a }

type askedList struct {
	metav1.ListMeta
	items []asked
}

// askedClient is a typed client with an empty list and one watch.
type askedClient struct{ events *kwatch.FakeWatcher }

func (c askedClient) List(context.Context, metav1.ListOptions) (*askedList, error) {
	return &askedList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}, nil
}

func (c askedClient) Watch(context.Context, metav1.ListOptions) (kwatch.Interface, error) {
	return c.events, nil
}

// GetName is called by the source, by the reflector, which checks the key, and once more by a Map.
func TestNameIsReadOnceByEachStage(t *testing.T) {
	for times, convert := range map[int]func(source.Source[*asked]) source.Source[*asked]{
		2: func(src source.Source[*asked]) source.Source[*asked] { return src },
		3: func(src source.Source[*asked]) source.Source[*asked] {
			return source.Map(src, func(a *asked) (*asked, error) { return a, nil })
		},
	} {
		events := kwatch.NewFake()
		src := source.FromClient(askedClient{events}, func(l *askedList) []asked { return l.items })
		src.NoWatchList = true
		s := store.ForObjects[*asked]()
		inf := informer.New(widgets, convert(src), s)
		stop := start(t, inf)
		for _, version := range []string{"2", "3"} {
			n := 0
			obj := &asked{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a", ResourceVersion: version}, times: &n}
			if version == "2" {
				events.Add(obj)
			} else {
				events.Modify(obj)
			}
			if err := s.Reader().WaitFor(t.Context(), version); err != nil {
				t.Fatal(err)
			}
			if n != times {
				t.Errorf("at %s the name was asked for %d times, want %d", version, n, times)
			}
		}
		stop()
	}
}
