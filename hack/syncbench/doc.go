// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command syncbench measures what it costs a client to fill its cache from a real API server, and to keep
// it up to date: client-go's shared informer beside indexer-gen's.
//
//	go run ./syncbench              # in hack; some minutes
//	go run ./syncbench -pods        # Pods from a whole kube-apiserver, in protobuf
//	go run ./syncbench -factory     # a SharedInformerFactory, without and with our informer
//	go run ./syncbench -n 5000 -rounds 1 -events 50000
//
// It starts an API server of package apiserver and creates objects: custom resources of 2.5 KB in JSON,
// or Pods of 6 KB, with managedFields as the server writes them. Then it runs the clients, each a
// process of its own for each run, in turn, for some rounds. It prints the medians (of the API
// server, means), and the ratios that the project has set itself as goals.
//
// GOGC, GOMEMLIMIT and GOMAXPROCS are those of the environment, for all clients alike; all ask for gzip
// or none does (-gzip). Each client has an index by namespace and one by node. The clients of Pods get
// protobuf, which is the default of both.
//
//   - sync: from an empty to a full cache. Peak memory is VmHWM, the highest resident memory; live is the
//     heap after a collection. The API server's processor time, for Pods, includes what it does afterwards
//     until it rests.
//   - relist, of custom resources: the server restarts under a synced client. The watch gets 410 Gone, and
//     the client lists everything again, all of it unchanged. The peak is relative to the resident memory
//     before.
//   - watch: a local HTTP server replays events made of the recorded objects, as fast as the client takes
//     them.
//
// With -factory the clients are one program with a SharedInformerFactory and the typed clientset of client-go. It
// has six string indexers, two handlers and a lister. One of the clients makes its informer by package clientgo,
// and has an emitted lister beside them:
//
//   - overhead: the live heap less the heap that is left when the factory is dropped and the Pods are kept.
//   - list, update and alone: processor time from decoded events to both handlers. The clientset of this phase
//     sends the same Pods again, first all, then changes: five of each as fast as the informer takes them, and
//     five of each alone, after the handlers have got the one before.
//   - Get: reads by client-go's lister. ByIndex and question get the 50 Pods of a node through the Indexer; the
//     question casts them, or asks the emitted lister.
package main
