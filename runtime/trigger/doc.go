// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package trigger yields the keys of the objects that a change concerns: those to reconcile when a
// Secret, a class or a policy changes that they use. It takes the place of map functions, which list
// objects and filter them, and of their queues.
//
//	t := trigger.For(routes) // own changes
//	g := trigger.On(t, gateways, IndexHTTPRouteByGateway, routes.Lister().ByGateway)
//	trigger.On(g, classes, IndexGatewayByClass, gateways.Lister().ByClass) // a hop
//	trigger.OnShared(t, slices, IndexEndpointSliceByService,
//		IndexHTTPRouteByService, routes.Lister().ByService) // both refer to a Service
//	trigger.OnRefs(t, policies, IndexPolicyByHTTPRoute) // policies refer to routes
//	for key, causes := range t.Keys(ctx) {
//		log.Info("reconciling", "route", key, "because", causes)
//	}
//
// [On], [OnRefs] and [OnShared] take what indexer-gen emits for +index:ref: the function that extracts
// references, and the lister's method that finds the objects with one. Both states of an update count,
// and a deletion counts with the last state. The object of a reference does not have to exist.
//
// # No change is lost
//
// A change of S concerns the objects of T that refer to it. A trigger looks them up in the cache of T when
// its handler for S is called. By then the store of S has the change. If the cache of T does not have a
// reference yet, the reference is a later change of T itself, which concerns T as well. The handlers are
// lossless. Only keys are merged, because merged events lose triggers: an addition and a deletion
// cancel out, although a reconciler may have read the object in between.
//
// A hop from X by Y to Z needs an edge from Y to Z, too: a change of Y's reference to X changes what Z
// reads. Therefore a hop continues an edge, the one from Y. For the same reason [Edge.Changed] and
// [Trigger.Changed] never drop an update that changes a reference along which an edge leads. Predicates of
// your own Watches must let such updates through as well.
//
// # Programs
//
// A program without a framework ranges over Keys, in one loop or several. For a controller of
// controller-runtime, package ctrltrigger makes a source, in which keys of initial lists have low
// priority, and map functions for events from elsewhere. docs/triggers.md shows all of them.
//
// [Causes] says why a key was yielded, and [Trigger.Stats] counts what each edge delivered, merged and
// dropped.
//
// # Cost
//
// A change costs an index lookup for each edge from its type: with OnShared one for each value, and one more
// for each object through which a hop leads. The functions of Changed and If run in the handler, so a slow
// one holds up the informer. A pending key holds one Cause for each
// edge that led to it.
package trigger
