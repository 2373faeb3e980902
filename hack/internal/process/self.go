// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
)

// CPU returns the time that this process has spent so far, in user and in system.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // it cannot fail for oneself
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Peak returns the highest resident memory of this process, in bytes. Unlike the maxrss of getrusage, that is this
// program's own, and not what it inherited over exec. It is 0 where there is no /proc.
func Peak() uint64 { return status("VmHWM") }

// ForgetPeak has Peak begin anew.
func ForgetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// Resident returns unused memory to the system, and then the resident memory, in bytes.
func Resident() uint64 {
	debug.FreeOSMemory()
	return status("VmRSS")
}

func status(field string) uint64 {
	text, _ := os.ReadFile("/proc/self/status")
	_, after, _ := bytes.Cut(text, []byte("\n"+field+":"))
	line, _, _ := bytes.Cut(after, []byte("kB"))
	n, _ := strconv.ParseUint(string(bytes.TrimSpace(line)), 10, 64)
	return n << 10
}

// LiveHeap returns the size of the reachable heap, with what held holds.
func LiveHeap(held any) uint64 {
	runtime.GC()
	runtime.GC() // what finalizers and pools held on to
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	runtime.KeepAlive(held)
	return stats.HeapAlloc
}
