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
	// publishPeriod is the period at which the resourceVersion is published.
	publishPeriod = time.Second
	// manyPending is the number of pending changes above which a warning is logged, if the oldest is older
	// than watchPeriod.
	manyPending = 1024
)

// watchOver logs warnings about handlers that fall behind and publishes the resourceVersion, until ctx ends.
func (i *sharedIndexInformer[T]) watchOver(ctx context.Context) {
	period := watchPeriod
	if i.published != nil {
		period = publishPeriod
	}
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if i.published != nil {
			i.published.Bookmark(i.LastSyncResourceVersion())
		}
		i.mu.Lock()
		registrations := slices.Clone(i.registrations)
		i.mu.Unlock()
		for _, r := range registrations {
			r.warn(i.description)
		}
	}
}

// warn logs that the handler of an informer falls behind, and logs it again whenever its pending changes have doubled.
func (r *registration) warn(informer string) {
	stats := r.handler.Stats()
	if stats.Pending <= manyPending {
		r.warned = 0
		return
	}
	if stats.Oldest < watchPeriod || stats.Pending < 2*r.warned {
		return
	}
	r.warned = stats.Pending
	r.logger.Info("Warning: event handler falls behind",
		"handler", r.name, "informer", informer,
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
