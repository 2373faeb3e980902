// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// together is of how many objects at once the UIDs and versions are compared.
const together = 16

// comparison is what is cheap to say of an object and the one that takes its place.
type comparison struct {
	another    bool // they are two objects of one name
	oneVersion bool // they have one version
}

// compare compares, for at most together changes, what is new with what it has replaced.
// The strings are in memory that nobody has looked at for long, and waiting for those of
// several changes at once takes little longer than for those of one.
func compare[T metav1.Object](done []store.Change[types.NamespacedName, T], found *[together]comparison) {
	for i := range done {
		c := &done[i]
		found[i].another = c.HadOld && c.HasNew && another(c.Old, c.New)
	}
	for i := range done {
		c := &done[i]
		found[i].oneVersion = c.HadOld && c.HasNew && c.Old.GetResourceVersion() == c.New.GetResourceVersion()
	}
}

// another reports whether old and new are two objects of one name. A source may tell of
// the deletion of one when the other, which it does not have, is in the store.
func another[T metav1.Object](old, new T) bool {
	was, is := old.GetUID(), new.GetUID()
	return was != is && was != "" && is != ""
}

// equal reports whether old and new are the same state of an object. Of one version
// there may be two: a server that was restored from a backup gives versions out again,
// and somebody may have written to what is in the store. Objects without a version are
// always news.
func equal[T metav1.Object](old, new T) bool {
	rv := new.GetResourceVersion()
	return rv != "" && rv == old.GetResourceVersion() && old.GetUID() == new.GetUID() &&
		(same(old, new) || reflect.DeepEqual(old, new))
}

// same reports whether old and new are one object in memory, as far as that is cheap to
// say: a pointer. Values may be of a type that cannot be compared.
func same[T any](old, new T) bool {
	return reflect.TypeFor[T]().Kind() == reflect.Pointer && any(old) == any(new)
}

// held returns the object of d, or what the store holds if that is equal: handlers
// know it, and somebody else may too.
func (i *Informer[T]) held(d *queue.Delta[types.NamespacedName, T]) T {
	if old, ok := i.store.Reader().Get(d.Key); ok && equal(old, d.Object) {
		return old
	}
	return d.Object
}

// known returns what the store holds of key. Of an empty one, as it is during the first
// list, that is not looked for.
func (i *Informer[T]) known(key types.NamespacedName) (obj T, ok bool) {
	r := i.store.Reader()
	if r.Len() == 0 {
		return obj, false
	}
	return r.Get(key)
}
