// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package clusters_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/clusters"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// Query the informers of two clusters as one.
func ExampleAsk() {
	east, west := runtimetest.NewServer[*object](), runtimetest.NewServer[*object]()
	east.Set(widget("a"))
	west.Set(widget("a"))
	west.Set(widget("b"))

	group := clusters.New[*site]() // usually the Informers of generated code
	for name, srv := range map[string]*runtimetest.Server[*object]{"east": east, "west": west} {
		s := newSite(srv)
		s.widgets() // informers are created on first use
		if err := group.Add(name, s); err != nil {
			fmt.Println(err)
		}
	}
	ctx := context.Background()
	group.Start(ctx)
	defer group.Shutdown()
	if err := group.WaitForSync(ctx); err != nil {
		fmt.Println(err)
	}
	names := map[string]int{}
	for cluster := range clusters.Ask(group, all) {
		names[cluster]++
	}
	fmt.Println(names)
	// Output: map[east:1 west:2]
}
