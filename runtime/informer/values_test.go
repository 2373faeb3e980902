// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// value is an object that is no pointer, and that Go cannot compare.
type value struct {
	*metav1.PartialObjectMetadata
	notes []string
}

// values is a source of them.
type values struct{ of *runtimetest.Server[*object] }

func valueOf(o *object) value { return value{o, []string{o.Labels["v"]}} }

func (s values) List(
	ctx context.Context,
	opts metav1.ListOptions,
	each func(source.Delta[value], error) error,
) (metav1.ListMeta, error) {
	return s.of.List(ctx, opts, func(item source.Delta[*object], err error) error {
		return each(source.DeltaOf(delta.Replaced, valueOf(item.Object)))
	})
}

func (s values) Watch(ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[value]) error {
	return s.of.Watch(ctx, opts, func(from source.Delta[*object], version string, err error) error {
		d := source.Delta[value]{Type: from.Type, NoObject: from.NoObject, Key: from.Key}
		if !d.NoObject {
			d.Object = valueOf(from.Object)
		}
		return each(d, version, err)
	})
}

// Objects need not be pointers, nor such that Go can compare them; a list that repeats them
// tells nothing.
func TestObjectsThatAreValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a", "v", "1"))
		inf := informer.New(widgets, source.Source[value]{ListerWatcher: values{srv}}, store.ForObjects[value]())
		var log []string
		inf.AddEventHandler(informer.HandlerFuncs[value]{
			AddFunc:    func(v value, _ bool) { log = append(log, "+"+v.Name+v.notes[0]) },
			UpdateFunc: func(_, v value) { log = append(log, "~"+v.Name+v.notes[0]) },
			DeleteFunc: func(d informer.Tombstone[value]) { log = append(log, "-"+d.Key.Name) },
		})
		ctx, cancel := context.WithCancel(t.Context())
		for range 2 { // of which the second lists what is known
			over := make(chan struct{})
			running, stop := context.WithCancel(ctx)
			go func() {
				defer close(over)
				if err := inf.Run(running); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
			srv.Set(widget("b", "v", "1"))
			synctest.Wait()
			stop()
			<-over
		}
		cancel()
		if got := strings.Join(log, " "); got != "+a1 +b1 ~b1" {
			t.Errorf("got %q", got)
		}
	})
}
