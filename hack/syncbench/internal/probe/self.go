// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
)

// cpu returns the time that this process has spent so far, in user and in system.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // it cannot fail for oneself
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// status reads a size from /proc/self/status: "VmRSS" or "VmHWM", its highest
// value. Unlike the maxrss of getrusage, that is this program's own, and not
// what it inherited over exec. 0 where there is no /proc.
func status(field string) uint64 {
	text, _ := os.ReadFile("/proc/self/status")
	_, after, _ := bytes.Cut(text, []byte("\n"+field+":"))
	line, _, _ := bytes.Cut(after, []byte("kB"))
	n, _ := strconv.ParseUint(string(bytes.TrimSpace(line)), 10, 64)
	return n << 10
}

// forgetPeak has VmHWM begin anew.
func forgetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// LiveHeap returns the size of the reachable heap.
func LiveHeap() uint64 {
	runtime.GC()
	runtime.GC() // what finalizers and pools held on to
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// settle returns unused memory and says how much is resident then.
func settle() uint64 {
	debug.FreeOSMemory()
	return status("VmRSS")
}
