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
// is created again meanwhile, that is another one.
//
// What a client could not write is not remembered. Nor is it known whether a write was
// made that has failed for lack of an answer; such an object is better read from the server.
// DeleteCollection says neither versions nor UIDs, and cannot be noted.
//
// # What it costs
//
// One entry for each object that was written and has not been seen since; a wait drops
// what it has seen, and so does a note when there are many. A wait that has nothing to
// wait for looks at one resourceVersion for each entry.
//
// A cache whose selector does not select the object that was written learns of its version
// only with the next event or bookmark, which may take a minute. After a restore
// of the server from a backup, versions that were noted before may not come for long:
// a wait that is under way then fails with store.ErrRewound, and what it was waiting for is
// forgotten; a later one ends with its context. Always give a wait one that ends.
package written
