// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// exits is a source that ends the goroutine that lists it, as a fake does that calls
// FailNow of package testing.
type exits struct{ source.ListerWatcher[*object] }

func (exits) SupportsWatchList() bool { return false }

func (exits) List(context.Context, metav1.ListOptions, func(source.Item[*object]) error) (metav1.ListMeta, error) {
	runtime.Goexit()
	return metav1.ListMeta{}, nil
}

// Who waits for an informer whose source has ended the goroutine that reads it learns that,
// and the other sources are read.
func TestSourceEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		var told []error
		inf := newInformer(nil, informer.WithErrorHandler(func(err error) { told = append(told, err) }))
		if _, err := inf.AddSource("good", srv); err != nil {
			t.Fatal(err)
		}
		if _, err := inf.AddSource("bad", exits{srv}); err != nil {
			t.Fatal(err)
		}
		rec := &recorder{}
		inf.AddHandler(rec)
		for range 2 { // runs
			stop := start(t, inf)
			synctest.Wait()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			err := inf.WaitForSync(ctx)
			cancel()
			if !errors.Is(err, informer.ErrSourceExited) || !strings.Contains(err.Error(), "source bad: last error: ") {
				t.Errorf("WaitForSync: %v", err)
			}
			stop()
		}
		expect(t, rec, "+a*")
		if len(told) != 2 {
			t.Errorf("told %v", told)
		}
	})
}

// The function that a filter asks is part of the handler.
func TestFilterEndsItsGoroutine(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		for _, name := range []string{"a", "bad", "c"} {
			srv.Set(widget(name))
		}
		inf := newInformer(srv)
		rec := &recorder{}
		reg := inf.AddHandler(informer.Filter(func(o *object) bool {
			if o.Name == "bad" {
				runtime.Goexit()
			}
			return true
		}, informer.Handler[*object](rec)), opts...)
		start(t, inf)
		expect(t, rec, "+a* +c*")
		if !reg.HasSynced() || !errors.Is(inf.LastError(), informer.ErrHandlerExited) {
			t.Errorf("synced: %v, last error %v", reg.HasSynced(), inf.LastError())
		}
	})
}
