// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package queue_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type object = metav1.PartialObjectMetadata

func named(name string) *object {
	return &object{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
}

func TestController(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(named("a"))
		srv.Set(named("b"))
		q := queue.NewDeltaFIFO[types.NamespacedName, *object](nil)
		var log, errs []string
		tries := 0
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			queue.Controller[*object]{
				Source: srv.Source(), Queue: q,
				Process: func(_ context.Context, b *delta.Batch[types.NamespacedName, *object]) error {
					for _, d := range b.Deltas {
						log = append(log, fmt.Sprint(d.Type, " ", d.Key.Name))
					}
					switch b.Deltas[0].Key.Name {
					case "b":
						if tries++; tries < 3 {
							return queue.ErrRequeue
						}
					case "bad":
						return errors.New("cannot process bad")
					}
					return nil
				},
				OnError: func(err error) { errs = append(errs, err.Error()) },
			}.Run(ctx)
		}()
		synctest.Wait()
		if q.HasSynced() {
			t.Error("synced before b was processed")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !q.HasSynced() {
			t.Error("not synced")
		}
		srv.Set(named("bad"))
		synctest.Wait()
		srv.Set(named("a"))
		synctest.Wait()
		want := "Replaced a,Replaced b,Replaced b,Replaced b,Added bad,Updated a"
		if got := strings.Join(log, ","); got != want || len(errs) != 1 {
			t.Errorf("got %s and %q", got, errs)
		}
		cancel()
		<-over
	})
}

// Without KnownObjects, a queue passes on a deletion that the source reports, and does not detect
// one that happened while no watch was running.
func TestDeletionsWithoutKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(named("a"))
		srv.Set(named("b"))
		var log []string
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			queue.Controller[*object]{
				Source: srv.Source(),
				Queue:  queue.NewDeltaFIFO[types.NamespacedName, *object](nil),
				Process: func(_ context.Context, b *delta.Batch[types.NamespacedName, *object]) error {
					for _, d := range b.Deltas {
						log = append(
							log,
							fmt.Sprint(d.Type, " ", d.Object.Name, d.Object.ResourceVersion),
						)
					}
					return nil
				},
			}.Run(ctx)
		}()
		synctest.Wait()
		srv.Delete("ns", "a")
		synctest.Wait()
		srv.Fail(runtimetest.TooManyRequests(60))
		srv.CutWatches(nil)
		synctest.Wait() // until nobody watches
		srv.Delete("ns", "b")
		srv.Compact()
		time.Sleep(time.Hour)
		synctest.Wait()
		if got, want := strings.Join(log, ","), "Replaced a2,Replaced b3,Deleted a2"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		cancel()
		<-over
	})
}

func TestControllerEndsWithItsQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue.NewDeltaFIFO[types.NamespacedName, *object](nil)
		q.Close()
		queue.Controller[*object]{
			Source: runtimetest.NewServer[*object]().Source(), Queue: q,
			Process: func(context.Context, *delta.Batch[types.NamespacedName, *object]) error { return nil },
		}.Run(t.Context())
	})
}

// The panic is the caller's, who can recover.
func TestControllerOfSourceWithParts(t *testing.T) {
	parts := source.ForEach(source.NewNamespaces("a", "b"), func(string) source.Source[*object] {
		return runtimetest.NewServer[*object]().Source()
	})
	defer func() {
		if v := recover(); v != reflector.ErrNoListerWatcher {
			t.Errorf("the panic is %v", v)
		}
	}()
	q := queue.NewDeltaFIFO[types.NamespacedName, *object](nil)
	queue.Controller[*object]{Source: parts, Queue: q}.Run(t.Context())
}

// A Process that pushes into another queue, which is closed, ends only its batch.
func TestProcessOfAnotherQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(named("a"))
		srv.Set(named("b"))
		q := queue.NewDeltaFIFO[types.NamespacedName, *object](nil)
		var errs []error
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			queue.Controller[*object]{
				Source: srv.Source(), Queue: q,
				Process: func(context.Context, *delta.Batch[types.NamespacedName, *object]) error {
					return queue.ErrClosed
				},
				OnError: func(err error) { errs = append(errs, err) },
			}.Run(ctx)
		}()
		synctest.Wait()
		if len(errs) != 2 || !errors.Is(errs[1], queue.ErrClosed) {
			t.Errorf("the errors are %v", errs)
		}
		cancel()
		<-over
	})
}
