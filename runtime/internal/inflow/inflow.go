// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inflow

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

type observerKey struct{}

// With returns a context for List and Watch whose sources call leftOut for each object that they leave
// out, on the goroutine that calls List or ranges over Watch.
func With(ctx context.Context, leftOut func(key types.NamespacedName)) context.Context {
	return context.WithValue(ctx, observerKey{}, leftOut)
}

// LeftOut returns the function of ctx. It is never nil.
func LeftOut(ctx context.Context) func(key types.NamespacedName) {
	if leftOut, ok := ctx.Value(observerKey{}).(func(types.NamespacedName)); ok {
		return leftOut
	}
	return func(types.NamespacedName) {}
}
