// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package written has reads wait for one's own writes.
//
// A cache lags behind the server. A controller that has written and reads its cache again
// at once may find the state from before, and do its work a second time. [Writes]
// remembers what a client has written until the cache has it:
//
//	writes := written.New(widgets.Reader())
//
//	w, err = writes.Note(client.Update(ctx, w, metav1.UpdateOptions{}))
//	…
//	err = writes.NoteDelete(w, client.Delete(ctx, w.Name, metav1.DeleteOptions{}))
//	…
//	if err := writes.Wait(ctx); err != nil { // or WaitFor, of one object
//		return err
//	}
//	for w := range widgets.ByNodeName("node-7") { … } // has seen both
//
// # What is waited for
//
// Of what was created, updated or patched, the resourceVersion that the server returned:
// the cache reflects that or a later one. The order of versions is the server's, so that
// holds also if others have written since. Of what was deleted, which returns no version,
// its UID: no object of that UID is in the cache, or it is one that is marked as being
// deleted, for its finalizers or its grace period may take any time. If the object
// is created again meanwhile, that is another one. A deletion is waited for though a reply
// to an update that came before it is noted after it. Of an object that the cache has yet to
// see, give NoteDelete the version too, or note its creation first: a UID that is not in the
// cache counts as gone.
//
// An object without a resourceVersion, such as client-go's fakes return, does not say which
// state is the later: until it is there is all that can be waited for, by its name and, if it
// has one, its UID. Of what was created that is enough, unless somebody else deletes it before
// the cache has seen it: then the wait ends with its context. Of what was updated it is not:
// the cache may have the state from before. Tests that read an update back want a fake that
// sets versions, as runtimetest.Server does.
//
// What a client could not write is not remembered. Nor is it known whether a write was
// made that has failed for lack of an answer; such an object is better read from the server.
// An API server answers DeleteCollection with the list of what it has deleted, and that can
// be noted ([Writes.NoteDeleteCollection]); clients that client-gen writes throw it away. What
// such a client has deleted cannot be told here: which objects a selector selects is settled
// by the server's state, of which the cache is an earlier one. List, and delete each.
//
// # What it costs
//
// One entry for each object that was written and has not been seen since; a wait drops
// what it has seen, and so does a note when there are many. A wait that has nothing to
// wait for looks at one resourceVersion for each entry.
//
// A cache whose selector does not select the object that was written learns of its version
// only with the next event or bookmark, which may take a minute.
//
// # When the server goes back
//
// After a restore of the server from a backup, what was written before may be lost, and a
// version that was noted before may not come for long, or come and mean something else. As
// soon as the cache has seen that the server has gone back, a wait for anything that was
// noted before fails with store.ErrRewound, at once and for all of it, and it is forgotten;
// it is not taken for seen, for nobody knows what has become of it: read from the server.
// What is written after the restore, and noted before the cache has seen it, cannot be told
// from that, and fails too. What is noted later is waited for as ever.
package written
