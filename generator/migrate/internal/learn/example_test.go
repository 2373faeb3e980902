// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn_test

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
)

type pod struct {
	Spec struct {
		NodeName string `json:"nodeName"`
	} `json:"spec"`
}

func Example() {
	answer := learn.Learn(&learn.Function{
		Types:  []func() any{func() any { return new(pod) }},
		Fields: map[string]bool{"Spec": true, "NodeName": true},
		Call: func(obj any) ([]string, error) {
			if name := obj.(*pod).Spec.NodeName; name != "" {
				return []string{name}, nil
			}
			return nil, nil
		},
	})
	fmt.Println(answer.Indexes[0].Markers)
	// Output: [+index:name=NAME,path=.spec.nodeName,omitempty=true]
}
