// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

// TestRun runs the whole example and reads what it prints.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // the server may have to be built
	defer cancel()
	var out bytes.Buffer
	if err := run(ctx, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	for secret, users := range map[string]string{
		"shop/database":         "[shop/cart shop/search]",
		"billing/database":      "[billing/invoices]",
		"platform/registry":     "[platform/controller shop/cart shop/frontend]",
		"shop/nobody-uses-this": "[]",
	} {
		_, after, _ := strings.Cut(out.String(), "Secret "+secret+" ")
		if answer, _, _ := strings.Cut(after, "\n"); strings.TrimSpace(answer) != users {
			t.Errorf("it does not say that %s is used by %s:\n%s", secret, users, out.Bytes())
		}
	}
}
