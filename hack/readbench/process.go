// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// memory notes the live heap of this process and its highest resident memory.
func (f *figures) memory() {
	text, _ := os.ReadFile("/proc/self/status")
	_, after, _ := bytes.Cut(text, []byte("\nVmHWM:"))
	line, _, _ := bytes.Cut(after, []byte("kB"))
	kib, _ := strconv.ParseUint(string(bytes.TrimSpace(line)), 10, 64)
	f.Peak = kib << 10
	runtime.GC()
	runtime.GC() // what finalizers and pools held on to
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	f.Live = stats.HeapAlloc
}

// serverTime returns the processor time of the kube-apiserver below this process.
func serverTime() (spent time.Duration) {
	parents := map[string]string{}
	times := map[string]time.Duration{}
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		text, _ := os.ReadFile(path)
		pid, rest, _ := strings.Cut(string(text), " (")
		name, rest, _ := strings.Cut(rest, ") ")
		fields := strings.Fields(rest) // from the state, the third, on; see proc_pid_stat(5)
		if len(fields) < 13 {
			continue // it has ended
		}
		parents[pid] = fields[1]
		if name == "kube-apiserver" {
			user, _ := strconv.Atoi(fields[11])
			system, _ := strconv.Atoi(fields[12])
			times[pid] = time.Duration(user+system) * (time.Second / 100)
		}
	}
	self := strconv.Itoa(os.Getpid())
	for pid, t := range times {
		for from := pid; from != ""; from = parents[from] {
			if from == self {
				spent += t
			}
		}
	}
	return spent
}
