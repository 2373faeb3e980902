// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// report is the error handler of the informer.
func (i *sharedIndexInformer[T]) report(err error) {
	var panicked *informer.PanicError
	if errors.As(err, &panicked) {
		panic(panicked.Value) //nolint:forbidigo // HandleCrash has logged it and decided to crash
	}
	var index *store.IndexError
	var mutation *store.MutationError
	if errors.As(err, &index) || errors.As(err, &mutation) {
		return // the store has passed it to reportStored
	}
	ctx, handle := i.watchErrorHandler()
	var read *reflector.Error
	if errors.As(err, &read) {
		if read.Op == reflector.OpWatchList && (apierrors.IsBadRequest(err) || apierrors.IsInvalid(err)) {
			klog.FromContext(ctx).V(2).Info("No WatchList", "informer", i.description, "err", err)
			return // the reflector lists at once
		}
		handle(ctx, i.reflector, err)
		return
	}
	utilruntime.HandleErrorWithContext(ctx, err, "Informer failed", "informer", i.description)
}

func (i *sharedIndexInformer[T]) watchErrorHandler() (context.Context, cache.WatchErrorHandlerWithContext) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.ctx, i.watchError
}

// reportStored is the error handler of the store.
func (i *sharedIndexInformer[T]) reportStored(err error) {
	var mutation *store.MutationError
	if errors.As(err, &mutation) {
		panic(err) //nolint:forbidigo // as a store without an error handler
	}
	utilruntime.HandleErrorWithContext(
		context.Background(), err, "Object was not indexed", "informer", i.description)
}
