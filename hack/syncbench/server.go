// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/hack/internal/process"
)

// rest waits until the API server has nothing left to do: garbage to collect, or data to compact.
func rest(ctx context.Context) {
	for spent := process.CPUOf(serverName); ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
		now := process.CPUOf(serverName)
		if now-spent < time.Second/20 {
			return
		}
		spent = now
	}
}

// serverName is the name of the process that serves Pods.
const serverName = "kube-apiserver"
