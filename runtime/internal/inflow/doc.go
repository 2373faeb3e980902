// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package leftout is how a reflector learns of objects that never reach it.
//
// Who reads one shard of a resource from a server that cannot tell shards apart is sent
// all objects, and package shard leaves out those of the others. For the reflector that
// would look like a server that sends nothing: it would end a list that is well under
// way, as stalled. So it gives List and Watch a context by which what leaves out an
// object says so. It is a context, and not an interface, since any number of sources may
// stand between the two, and none of them need know of it.
package leftout
