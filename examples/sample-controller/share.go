// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package samplecontroller

import "github.com/indexer-gen/indexer-gen/runtime/clientgo"

// The informers of these types have typed stores, for clientgo.StoreOf.
func init() {
	clientgo.Register[*Foo]()
	clientgo.Register[*Deployment]()
}
