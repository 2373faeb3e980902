// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package leftout

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

type noteKey struct{}

// With returns a context for List and Watch by which a source that leaves out objects,
// which another one has handed to it, tells the key of each. note is called on the
// goroutine that called List, or ranges over Watch.
func With(ctx context.Context, note func(types.NamespacedName)) context.Context {
	return context.WithValue(ctx, noteKey{}, note)
}

// Note returns the function that With was given, or one that does nothing.
func Note(ctx context.Context) func(types.NamespacedName) {
	if note, ok := ctx.Value(noteKey{}).(func(types.NamespacedName)); ok {
		return note
	}
	return func(types.NamespacedName) {}
}
