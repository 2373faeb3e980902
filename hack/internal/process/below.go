// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// CPUOf returns the processor time of the processes called name that descend from this one; 0
// where there is no /proc. It counts in hundredths of a second.
func CPUOf(name string) time.Duration {
	type process struct {
		name  string
		from  string
		spent time.Duration
	}
	all := map[string]process{}
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		text, _ := os.ReadFile(path)
		pid, rest, _ := strings.Cut(string(text), " (")
		comm, rest, _ := strings.Cut(rest, ") ")
		fields := strings.Fields(rest) // from the state, the third, on; see proc_pid_stat(5)
		if len(fields) < 13 {
			continue // it has ended
		}
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		all[pid] = process{comm, fields[1], time.Duration(user+system) * (time.Second / 100)}
	}
	self := strconv.Itoa(os.Getpid())
	var sum time.Duration
	for pid, p := range all {
		for from := pid; p.name == name && from != ""; from = all[from].from {
			if from == self {
				sum += p.spent
			}
		}
	}
	return sum
}
