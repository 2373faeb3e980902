// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/inflow"
	"k8s.io/apimachinery/pkg/types"
)

const (
	// stallReported is how long a list may bring nothing before that is reported.
	stallReported = 30 * time.Second
	// stallBytes is how many bytes count as something, without an object.
	stallBytes = 64 << 10
	// stallLook is how often a stallWatch looks, and so its precision.
	stallLook = time.Second
)

// A stallWatch reports a list that brings neither an object nor stallBytes for stallReported:
// once to OnError, and for as long as it lasts in Progress. It cuts nothing; the watchdog does.
type stallWatch struct {
	fed   atomic.Bool  // since the last look
	bytes atomic.Int64 // since the last multiple of stallBytes
	done  chan struct{}
	over  chan struct{}
}

// watchStall begins to watch a list. The caller stops it.
func (r *Reflector[T]) watchStall(op Op) *stallWatch {
	w := &stallWatch{done: make(chan struct{}), over: make(chan struct{})}
	go func() {
		defer close(w.over)
		defer r.did.stalled(time.Time{})
		look := time.NewTicker(stallLook)
		defer look.Stop()
		last, reported := time.Now(), false
		for {
			select {
			case <-w.done:
				return
			case <-look.C:
			}
			switch {
			case w.fed.Swap(false):
				if reported {
					r.did.stalled(time.Time{})
				}
				last, reported = time.Now(), false
			case !reported && time.Since(last) >= stallReported:
				reported = true
				r.did.stalled(last)
				r.report(newError(op, ErrSlowList))
			}
		}
	}()
	return w
}

// feed notes an object.
func (w *stallWatch) feed() {
	if !w.fed.Load() {
		w.fed.Store(true)
	}
}

// received notes n bytes.
func (w *stallWatch) received(n int) {
	if w.bytes.Add(int64(n)) >= stallBytes {
		w.bytes.Store(0)
		w.feed()
	}
}

// stop ends the watch, and waits for a report that is being made.
func (w *stallWatch) stop() {
	select {
	case <-w.done:
	default:
		close(w.done)
		<-w.over
	}
}

// observe returns a context for a list whose source reports what it receives to w, and to
// leftOut the objects that it leaves out.
func (w *stallWatch) observe(ctx context.Context, leftOut func(types.NamespacedName)) context.Context {
	return inflow.With(ctx, inflow.Observer{Bytes: w.received, LeftOut: func(key types.NamespacedName) {
		w.feed()
		leftOut(key)
	}})
}
