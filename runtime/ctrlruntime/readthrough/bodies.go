// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package readthrough

import (
	"container/list"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// version is the state of an object that the watch has delivered. After a restore from a backup, the same
// resourceVersion may be another state, so it has the epoch.
type version struct {
	epoch           store.Epoch
	uid             types.UID
	resourceVersion string
}

// versionIn returns the version of key in a snapshot.
func versionIn[M metav1.Object](now store.Reader[types.NamespacedName, M], key types.NamespacedName) (version, bool) {
	obj, ok := now.Get(key)
	if !ok {
		return version{}, false
	}
	return version{now.Epoch(), obj.GetUID(), obj.GetResourceVersion()}, true
}

// isCurrent reports whether body, read in an epoch, is the object of v in this state or a later one.
func (v version) isCurrent(epoch store.Epoch, body metav1.Object) bool {
	if epoch != v.epoch || body.GetUID() != v.uid {
		return false
	}
	order, err := resourceversion.CompareResourceVersion(body.GetResourceVersion(), v.resourceVersion)
	return err == nil && order >= 0 || body.GetResourceVersion() == v.resourceVersion
}

// bodies are the objects that were read, the most recently read one first.
type bodies[T metav1.Object] struct {
	byKey           map[types.NamespacedName]*list.Element // of held[T]
	recent          *list.List
	bytes, maxBytes int64
}

type held[T metav1.Object] struct {
	key   types.NamespacedName
	epoch store.Epoch
	body  T
	size  int64
}

func (b *bodies[T]) get(key types.NamespacedName) (h held[T], ok bool) {
	e, ok := b.byKey[key]
	if ok {
		h = e.Value.(held[T])
	}
	return h, ok
}

// add holds h, unless it alone exceeds the limit.
func (b *bodies[T]) add(h held[T]) {
	b.remove(h.key)
	if h.size > b.maxBytes {
		return
	}
	b.byKey[h.key] = b.recent.PushFront(h)
	for b.bytes += h.size; b.bytes > b.maxBytes; {
		b.remove(b.recent.Back().Value.(held[T]).key)
	}
}

func (b *bodies[T]) remove(key types.NamespacedName) {
	if e, ok := b.byKey[key]; ok {
		delete(b.byKey, key)
		b.bytes -= b.recent.Remove(e).(held[T]).size
	}
}

// held returns the body of key if it is current at a version.
func (c *Cache[M, T]) held(key types.NamespacedName, at version) (body T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h, ok := c.bodies.get(key)
	if !ok || !at.isCurrent(h.epoch, h.body) {
		return body, false
	}
	c.bodies.recent.MoveToFront(c.bodies.byKey[key])
	return h.body, true
}

// isCurrent compares a body with the latest state of the informer.
func (c *Cache[M, T]) isCurrent(h held[T]) bool {
	at, ok := versionIn(c.objects.Snapshot(), h.key)
	return ok && at.isCurrent(h.epoch, h.body)
}

// keep holds the body of a request that has ended. The watch may have gone on during the request. A later
// change calls removeStale. It requires c.mu.
func (c *Cache[M, T]) keep(h held[T]) {
	if c.isCurrent(h) && h.body.GetResourceVersion() != "" {
		c.bodies.add(h)
	}
}

// removeStale frees the body of an object that has changed. The event may be late: a body of the state after it
// stays.
func (c *Cache[M, T]) removeStale(key types.NamespacedName) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h, ok := c.bodies.get(key); ok && !c.isCurrent(h) {
		c.bodies.remove(key)
	}
}

// sizeOf returns the encoded size of an object: as protobuf, which need not be encoded for that, or else as JSON.
func sizeOf(obj any) int64 {
	if message, ok := obj.(interface {
		Marshal() ([]byte, error)
		Size() int
	}); ok {
		return int64(message.Size())
	}
	text, _ := json.Marshal(obj)
	return int64(len(text))
}
