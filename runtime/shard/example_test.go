// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package shard_test

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/shard"
)

// Three replicas divide the objects by UID. Each object belongs to one of them.
func ExampleOf() {
	obj := &metav1.ObjectMeta{UID: "4f6e1b1c-6a3a-4d7e-9c63-0f1f5f1e2a77"}
	for replica := range 3 {
		r, err := shard.Of(replica, 3)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r, r.Contains(obj))
	}
	// Output:
	// uid 0000000000000000-5555555555555554 false
	// uid 5555555555555555-aaaaaaaaaaaaaaa9 true
	// uid aaaaaaaaaaaaaaaa-ffffffffffffffff false
}
