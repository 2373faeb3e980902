// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package runtime marks the generations of emitted code that this module
// understands. The parts themselves are packages below it, in the order in
// which an object travels:
//
//	source     what lists and watches: any typed client by shape
//	wire       a source of our own, over net/http
//	shard      a part of a source's objects, for replicas that divide them
//	reflector  list, then watch, then list again when it must
//	queue      InOrder, DeltaFIFO and FIFO, between the reflector and the store
//	store      the generic, thread-safe store with its typed indexes
//	lister     reads by namespace, name and label selector
//	informer   the loop around them all, handlers, and the factory
//	metrics    what informers count; module runtime/prometheus exports it
//	controller the same path to a function of one's own, without a store
//	watch      a typed watch without a cache, which outlives its connections
//	written    has reads wait for one's own writes
//	canonical  times and quantities as keys
//	slim       types of only the fields that are wanted
//	runtimetest  a scripted source for tests
//
// # Beside client-go
//
// Every part of client-go's cache has its counterpart here, and a test that shows
// what it promises:
//
//	Store                 store.Store, Batch      store.TestAgainstReference
//	Indexer               store.Index, AddIndex   store.TestClientGoCounterparts
//	thread-safe store     store.Store             store.TestReadersSeeConsistentStates
//	key functions         store.KeyOf,            queue.TestObjectKey
//	                      queue.ObjectKey, KeyOf
//	FIFO, Queue           queue.FIFO              queue.TestFIFOReference
//	DeltaFIFO, in order   queue.InOrder           queue.TestReference
//	DeltaFIFO, per object queue.DeltaFIFO         queue.TestPerObjectKeepsHistory
//	Reflector             reflector.Reflector     reflector.TestAnswers
//	ListerWatcher         source.FromClient,      source.TestListFromClient
//	                      wire.Conn               wire.TestSourceIsConcurrent
//	Controller            controller.Run          controller.TestRun
//	RetryWatcher          watch.Events            watch.TestEvents
//	SharedInformer        informer.Informer       informer.TestMirror
//	handlers              informer.Handler        informer.TestHandlers
//	removing handlers     Registration.RemoveWait informer.TestHandlerRemovesItself
//	resync                informer.WithResync     informer.TestResync
//	DeletedFinalState-    informer.Tombstone      informer.TestTombstoneHasTheFinalState
//	  Unknown
//	HasSynced, WaitFor    Informer.WaitForSync    informer.TestWaitForSyncSaysWhy
//	  CacheSync
//	SharedInformerFactory informer.Factory        informer.TestFactory
//	its namespace option  source.Namespaces       informer.TestNamespacesChangeWhileTheInformerRuns
//	its selectors         informer.WithLabelSelector informer.TestTransformsAndSelectors
//	metadata informers    wire.MetadataSource     wire.TestMetadataSource
//	Lister                lister.Lister           lister.TestNamespaced
//	MutationCache         written.Writes          written.TestVersionsAreWaitedFor
//	mutation detector     store.WithMutationDetector store.TestMutationsAreNamed
//
// What has no counterpart in client-go, and is tested alike:
//
//	release by last user  informer.Shared.Use     informer.TestLastUserReleases
//	sources that change   informer.Informer.AddSource informer.TestSourcesMirror
//	several clusters      informer.Clusters, Ask  informer.TestClusters
//	changes in a loop     informer.Informer.Changes informer.TestChanges
//	what hangs is named   informer.ShutdownError  informer.TestShutdownNamesWhatHangs
//	how handlers keep up  informer.HandlerStats   informer.TestHandlerStats
//	events for a log      informer.WithLogger     informer.TestLogger
//	shards                shard.Range, shard.Set  informer.TestShardsMirror
//
// The module needs k8s.io/apimachinery and nothing of client-go, so that a
// project which imports it keeps its own versions of everything else.
package runtime
