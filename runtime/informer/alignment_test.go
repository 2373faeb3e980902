// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// onePart is made up of one source. Once hold is set, whoever asks for its parts waits for it.
type onePart struct {
	source.ListerWatcher[*object]
	hold    atomic.Pointer[chan struct{}]
	changed func(context.Context) error
}

func (p *onePart) Parts() map[string]source.ListerWatcher[*object] {
	if hold := p.hold.Swap(nil); hold != nil {
		<-*hold
	}
	return map[string]source.ListerWatcher[*object]{"a": p.ListerWatcher}
}

func (p *onePart) Handover() bool { return false }

func (p *onePart) Follow(changed func(context.Context) error) (stop func()) {
	p.changed = changed
	return func() {}
}

// A change of the parts that is still waiting for a source to sync when the informer is run
// again does not keep that run from reading it.
func TestChangeOfPartsAcrossRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := &runtimetest.Script[*object]{NoWatchList: true}
		script.Lists(runtimetest.ListHang[*object](), runtimetest.Objects("5", widget("a"))).Watches(runtimetest.Stream(runtimetest.Hang[*object]()))
		parts := &onePart{ListerWatcher: script}
		inf := newInformer(parts)
		stop := start(t, inf)
		synctest.Wait()
		hold := make(chan struct{})
		parts.hold.Store(&hold)
		changed := make(chan error)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		go func() { changed <- parts.changed(ctx) }()
		synctest.Wait() // it asks for the parts
		stop()
		start(t, inf)
		synctest.Wait() // the new run waits for its turn to ask for them
		close(hold)
		if err := <-changed; err != nil {
			t.Errorf("the change: %v", err)
		}
		if !inf.HasSynced() || ctx.Err() != nil {
			t.Errorf("synced %v, %v", inf.HasSynced(), ctx.Err())
		}
	})
}
