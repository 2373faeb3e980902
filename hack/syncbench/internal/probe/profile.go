// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"os"
	"runtime/pprof"
)

// profile writes a CPU profile to prefix-phase.pprof until the function that it
// returns is called; nothing if prefix is "".
func profile(prefix, phase string) (stop func() error, err error) {
	if prefix == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(prefix + "-" + phase + ".pprof")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}
