// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func Example() {
	type object = *metav1.PartialObjectMetadata
	s := store.ForObjects[object]()
	byTeam := store.AddIndex(s, "Team", func(dst []string, obj object) []string {
		return append(dst, obj.Annotations["team"])
	})
	before := s.Reader().Snapshot()
	for name, team := range map[string]string{"db": "blue", "web": "blue", "job": "red"} {
		obj := &metav1.PartialObjectMetadata{}
		obj.Name, obj.Annotations = name, map[string]string{"team": team}
		if err := s.Set(obj); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(byTeam.Count(s.Reader(), "blue"), "of", s.Reader().Len())
	for obj := range byTeam.Get(s.Reader(), "red") {
		fmt.Println(obj.Name)
	}
	fmt.Println(before.Len(), "before")
	// Output:
	// 2 of 3
	// job
	// 0 before
}
