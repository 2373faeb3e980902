// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

func NewInformer(
	lw ListerWatcher, example runtime.Object, resync time.Duration, h cache.ResourceEventHandler,
) (Store, Controller) {
	return NewTransformingInformer(lw, example, resync, h, nil)
}

func NewTransformingInformer(
	lw ListerWatcher, example runtime.Object, resync time.Duration, h cache.ResourceEventHandler,
	transform TransformFunc,
) (Store, Controller) {
	i := clientgo.NewSharedIndexInformer(lw, example, resync, nil)
	_ = i.SetTransform(transform) // it fails for informers that run
	_, _ = i.AddEventHandler(h)
	return i.GetStore(), informerController{i}
}

// informerController is an informer with one handler.
type informerController struct{ SharedIndexInformer }

func (c informerController) RunWithContext(ctx context.Context) {
	c.SharedIndexInformer.RunWithContext(ctx)
}
