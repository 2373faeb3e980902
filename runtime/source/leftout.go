// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

type leftOutKey struct{}

// WithLeftOut returns a context for List and Watch by which a source that leaves out
// objects, which another one has handed to it, tells the key of each: who waits for
// objects learns that the server is sending. note is called on the goroutine that
// called List, or ranges over Watch.
func WithLeftOut(ctx context.Context, note func(types.NamespacedName)) context.Context {
	return context.WithValue(ctx, leftOutKey{}, note)
}

// LeftOut returns the function that WithLeftOut was given, or one that does nothing.
func LeftOut(ctx context.Context) func(types.NamespacedName) {
	if note, ok := ctx.Value(leftOutKey{}).(func(types.NamespacedName)); ok {
		return note
	}
	return func(types.NamespacedName) {}
}
