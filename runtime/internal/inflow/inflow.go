// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inflow

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

// Observer is notified of input that a source does not pass on. A nil function ignores it.
type Observer struct {
	// LeftOut is called for each object that is left out, on the goroutine that calls List or ranges
	// over Watch.
	LeftOut func(key types.NamespacedName)
	// Bytes is called with the length of each piece of a response. It may be called on any goroutine,
	// but not concurrently.
	Bytes func(n int)
}

type observerKey struct{}

// With returns a context for List and Watch whose sources report to o.
func With(ctx context.Context, o Observer) context.Context {
	return context.WithValue(ctx, observerKey{}, o)
}

// From returns the observer of ctx. Its functions are not nil.
func From(ctx context.Context) Observer {
	o, _ := ctx.Value(observerKey{}).(Observer)
	if o.LeftOut == nil {
		o.LeftOut = func(types.NamespacedName) {}
	}
	if o.Bytes == nil {
		o.Bytes = func(int) {}
	}
	return o
}
