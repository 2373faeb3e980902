// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package queue holds what a source has said until a consumer has made use of it: two
// queues, generic over keys and objects, that know nothing of servers or stores.
//
// # DeltaFIFO
//
// A [DeltaFIFO] holds deltas: what happened to which object. It has two modes, chosen
// when it is made, because two things are wanted that exclude each other.
//
// In order, it hands out batches of deltas exactly as they arrived. A batch says how
// far the source has been read, and that is sound: nothing older is still waiting.
// So a consumer who applies a batch at once has, after each, a state that the source
// was in, and can say at which resourceVersion. An informer is such a consumer. (A
// queue that reorders objects cannot say it, which is why client-go left it, too, in
// 1.36.) Nothing is dropped, so the queue is bounded instead: a producer waits while
// two full batches are pending, one to be taken next and one to be filled meanwhile.
// A list comes as one batch, however long, because half a list is of no use to
// anybody, and counts as a full one. [Batch.ByObject] groups a batch by object.
//
// Per object, it hands out one object at a time with everything that happened to it
// since it was last handed out, in order, for loops of one's own that want to see
// intermediate states but not in lockstep with the source. This is the classic delta
// FIFO. Objects wait in the order in which they first changed.
//
// In both modes deletes that follow each other merge into the one that knows more, a
// complete list (Replace) is compared with what is known, so that what it lacks is
// handed out as deleted, with FinalStateUnknown, and objects can be transformed on
// their way in. What is known is told by [Known], usually a store. In order, the
// comparison is made when the list is handed out, since everything before it has been
// processed by then. Per object, it is made when the list is written, and reckons with
// what is being processed at that moment. Without Known, a list is compared with what
// is pending, and no more than that can be said: an object that was processed and is missing
// from a list is not handed out as deleted. One whose deletion the source has told is.
//
// # FIFO
//
// A [FIFO] holds the newest state of each object and nothing else: what is deleted
// before it was popped is never seen.
//
// # Common to both
//
// Pop takes a function, and only when that has returned does what it got count as
// processed: HasSynced is exact, a function that returns [ErrRequeue] or panics gets
// the same again. One Pop runs its function at a time, so that order means something
// with several consumers. No lock is held meanwhile, nor while key functions,
// transforms or Known are called. Waiting ends with a context or with Close, which
// wakes everyone.
//
// What an object's key is, and what has none, a function says that may fail;
// [ObjectKey] is that of Kubernetes objects. A [Delta] carries its key, so that
// tombstones and objects that could not be decoded have one as well ([KeyOf]).
package queue
