// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package discovery finds out whether an API server serves a type that may be absent, such as one of a
// CustomResourceDefinition that may not be installed. Its [Prober] needs no rights beside those of discovery,
// which every user has by default.
//
// # The answers
//
// Methods find, of a document, and serves, of a version, read the answers. They are this table:
//
//	answer of /apis                                        the type is
//	none, cut, or any code but 200                         unknown
//	not JSON, of another kind, or without groups           unknown
//	APIGroupDiscoveryList: no such group or version        absent
//	  the version is stale, or has no resources            unknown
//	  the version has the resource, or has not             served, or absent
//	APIGroupList: no such group or version                 absent
//	  the group has the version                            that of the next request
//
//	answer of /apis/group/version                          the type is
//	none, cut, or any code but 200, also 404               unknown
//	not JSON, of another kind, or without resources        unknown
//	APIResourceList: has the resource, or has not          served, or absent
//
// Unknown is an error. A type of the core group is always served.
//
// # Cost
//
// Types of one Prober share the requests: an answer is for everybody who asked before its request was sent. The
// request is for aggregated discovery, and conditional: while nothing changes, the server answers 304 without a
// body. Servers without aggregated discovery, before 1.27, get a second request for each type.
package discovery
