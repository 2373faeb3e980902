// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package shard_test

import (
	"errors"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/internal/sharding"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// With an apimachinery that is too old, a shard fails before it sends a request.
func TestShardsOfOldApimachinery(t *testing.T) {
	if sharding.Supported() {
		t.Skip("this apimachinery has the fields")
	}
	script := new(sourcetest.Script[*object])
	src := shard.Only(script.Source(), of(t, 0, 2))
	if _, err := src.List(t.Context(), metav1.ListOptions{}, nil); !errors.Is(err, sharding.ErrUnsupported) {
		t.Errorf("list: %v", err)
	}
	if err := src.Watch(t.Context(), metav1.ListOptions{}, nil); !errors.Is(err, sharding.ErrUnsupported) {
		t.Errorf("watch: %v", err)
	}
	if n := len(script.Requests()); n != 0 {
		t.Errorf("%d requests, want none", n)
	}
}
