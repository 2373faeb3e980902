// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package written makes a controller's reads wait for its own writes.
//
// A cache lags behind the server. A controller that writes and then reads its cache at once may
// see the state before its write, and do its work twice. [Writes] remembers each write of a
// client until the cache contains it:
//
//	writes := written.New(widgets.Reader())
//
//	w, err = writes.Note(client.Update(ctx, w, metav1.UpdateOptions{}))
//	…
//	err = writes.NoteDelete(w, client.Delete(ctx, w.Name, metav1.DeleteOptions{}))
//	…
//	if err := writes.Wait(ctx); err != nil { // or WaitFor, for one object
//		return err
//	}
//	for w := range widgets.ByNodeName("node-7") { … } // sees both writes
//
// # When a wait ends
//
// For a create, update or patch, Wait waits until the cache has reached the resourceVersion that
// the server returned. Versions are ordered, so later writes by others do not matter.
//
// A delete returns no version. Wait waits until the cache has no object with the deleted UID, or
// has it with a deletion timestamp, because finalizers and grace periods may take any time. An
// object created again under the same name has another UID. A UID that the cache has not seen yet
// counts as deleted, so pass NoteDelete an object with its resourceVersion, or note the create
// first. Replies may be noted in any order.
//
// An object without a resourceVersion, as client-go's fake clients return it, has no order. Wait
// then only waits until the cache has an object with this name and, if known, this UID. This is
// enough for a create. After an update the cache may still have the old state. Tests that read an
// update back need a fake that sets versions, such as runtimetest.Server.
//
// A write that failed is not remembered. After a timeout the client cannot know whether the server
// performed the write: read the object from the server. For DeleteCollection the API server returns
// the list of deleted objects: note each of them. client-gen's clients discard this list. With them,
// list the objects and delete each one.
//
// # Cost
//
// There is one entry for each written object that the cache has not been seen to contain. A wait
// drops the entries that it has seen, and Note does so when there are many. A wait for writes that
// the cache already contains compares one resourceVersion for each entry.
//
// If the cache's selector does not select a written object, the cache reaches its version only with
// the next event or bookmark, which may take a minute.
//
// # After a restore from a backup
//
// A restore of etcd may lose writes, and the server may assign their resourceVersions again. As
// soon as the cache notices a restore, a wait for any write noted before fails with
// store.ErrRewound, and these writes are forgotten. Read these objects from the server. A write
// made after the restore, but noted before the cache notices it, fails in the same way.
package written
