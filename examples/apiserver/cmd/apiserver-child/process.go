// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"os/exec"
	"runtime"
)

// startProcess starts cmd, apart from the signals of the terminal, so that it
// ends with this process where the system can see to that. The caller calls wait
// once.
func startProcess(cmd *exec.Cmd) (wait func() error, err error) {
	cmd.SysProcAttr = processAttributes()
	started, ended := make(chan error, 1), make(chan error, 1)
	go func() {
		// Linux sends the signal when the thread ends that started the process.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	return func() error { return <-ended }, <-started
}
