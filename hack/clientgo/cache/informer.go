// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// sharedIndexInformer is an informer of runtime/clientgo under the name that the tests assert.
type sharedIndexInformer struct{ SharedIndexInformer }

// sharedProcessorRunHook delays the start of handlers in client-go, and of the informer here.
var sharedProcessorRunHook atomic.Pointer[func()]

func (i *sharedIndexInformer) Run(stop <-chan struct{}) {
	i.RunWithContext(wait.ContextForChannel(stop))
}

func (i *sharedIndexInformer) RunWithContext(ctx context.Context) {
	if hook := sharedProcessorRunHook.Load(); hook != nil {
		(*hook)()
	}
	i.SharedIndexInformer.RunWithContext(ctx)
}

func NewSharedInformer(lw ListerWatcher, example runtime.Object, resync time.Duration) SharedInformer {
	return &sharedIndexInformer{clientgo.NewSharedIndexInformer(lw, example, resync, nil)}
}

func eventHandlerCount(i SharedInformer) int {
	stats, _ := clientgo.Stats(i)
	return len(stats.Handlers)
}

func isStarted(i SharedInformer) bool {
	return field(i, "started").Bool()
}

// isRegistered looks for h in the registrations of i.
func isRegistered(i SharedInformer, h ResourceEventHandlerRegistration) bool {
	registrations := field(i, "registrations")
	for n := range registrations.Len() {
		if registrations.Index(n).Pointer() == reflect.ValueOf(h).Pointer() {
			return true
		}
	}
	return false
}

// field returns an unexported field of the informer behind i.
func field(i SharedInformer, name string) reflect.Value {
	return reflect.ValueOf(i.(*sharedIndexInformer).SharedIndexInformer).Elem().FieldByName(name)
}
