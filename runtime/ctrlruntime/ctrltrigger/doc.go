// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package ctrltrigger gives the keys of package trigger to the controllers of controller-runtime, in place of mapping
// functions.
//
// [Requests] makes a source of a trigger. The informers of the trigger are those of the manager's cache, from
// ctrlruntime.InformerOf, or emitted ones. [MapFunc] is for events from elsewhere:
//
//	sites, err := ctrlruntime.InformerOf[*v1.Site](ctx, mgr.GetCache())
//	…
//	t := trigger.For(sites)
//	trigger.OnRefs(t, devices, v1.IndexDeviceBySite)
//	builder.ControllerManagedBy(mgr).Named("site").WatchesRawSource(ctrltrigger.Requests(t)).Complete(r)
//
// docs/triggers.md says which line takes the place of which mapping function.
package ctrltrigger
