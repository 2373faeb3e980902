// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package ctrlabsent is for managers with types that the server may not serve, such as ServiceMonitors.
//
// [MayBeAbsent] lists such a type for the cache. The manager starts without it, reads return an error for which
// meta.IsNoMatchError is true, and its objects come and go with it. [WhenPresent] is for a controller that creates
// such objects.
//
// # How it works
//
// The cache has a RESTMapper that knows the types from the option. So their informers are made as for any type, and
// their sources say whether the server serves the type (source.Source.Served).
package ctrlabsent
