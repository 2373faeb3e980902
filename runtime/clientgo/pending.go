// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"time"

	"k8s.io/client-go/tools/cache"
)

const (
	watchPeriod = 10 * time.Second
	// shortPeriod is the period at which all objects are compared with copies, as in client-go, and at which the
	// resourceVersion is published.
	shortPeriod = time.Second
	// manyPending is the number of pending changes above which a warning is logged, if the oldest is older
	// than watchPeriod.
	manyPending = 1024
)

// watchOver logs warnings about handlers that fall behind, checks for mutations, and publishes the
// resourceVersion, until ctx ends.
func (i *sharedIndexInformer) watchOver(ctx context.Context) {
	period := watchPeriod
	if i.detects || i.published != nil {
		period = shortPeriod
	}
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if i.detects {
			_ = i.indexer.store.CheckMutations() // the store reports it
		}
		if i.published != nil {
			i.published.Bookmark(i.LastSyncResourceVersion())
		}
		i.mu.Lock()
		registrations := slices.Clone(i.registrations)
		i.mu.Unlock()
		for _, r := range registrations {
			r.warn()
		}
	}
}

// warn logs that the handler falls behind, and logs it again whenever its pending changes have doubled.
func (r *registration) warn() {
	stats := r.handler.Stats()
	if stats.Pending <= manyPending {
		r.warned = 0
		return
	}
	if stats.Oldest < watchPeriod || stats.Pending < 2*r.warned {
		return
	}
	r.warned = stats.Pending
	r.logger.Info("Warning: event handler falls behind, its queue is not bounded",
		"handler", r.name, "informer", r.informer.description,
		"pending", stats.Pending, "oldest", stats.Oldest, "call", stats.Calling)
}

// handlerName names a handler after its first function or its type.
func handlerName(h cache.ResourceEventHandler) string {
	functions, _ := h.(cache.ResourceEventHandlerFuncs)
	for _, f := range []any{functions.AddFunc, functions.UpdateFunc, functions.DeleteFunc} {
		if v := reflect.ValueOf(f); !v.IsNil() {
			return runtime.FuncForPC(v.Pointer()).Name()
		}
	}
	return fmt.Sprintf("%T", h)
}
