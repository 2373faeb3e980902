// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// cost is what running a program, or several in turn, took.
type cost struct {
	wall, cpu time.Duration
	memory    int64 // bytes: the greatest resident set of a process
}

// spend runs the command to its end. What it printed is in the error if it fails.
func spend(cmd *exec.Cmd) (cost, error) {
	start := time.Now()
	out, err := cmd.CombinedOutput()
	wall := time.Since(start)
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", cmd.Path, err, out)
	}
	c := cost{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.memory = int64(usage.Maxrss)
		if runtime.GOOS != "darwin" {
			c.memory *= 1024
		}
	}
	return c, nil
}

// then is the cost of one after the other.
func (c cost) then(next cost) cost {
	return cost{c.wall + next.wall, c.cpu + next.cpu, max(c.memory, next.memory)}
}

// median takes the median of each figure.
func median(costs []cost) cost {
	return cost{
		wall:   middle(costs, func(c cost) time.Duration { return c.wall }),
		cpu:    middle(costs, func(c cost) time.Duration { return c.cpu }),
		memory: middle(costs, func(c cost) int64 { return c.memory }),
	}
}

func middle[T ~int64](costs []cost, figure func(cost) T) T {
	var all []T
	for _, c := range costs {
		all = append(all, figure(c))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

type row struct {
	name string
	cost cost
}

// table prints the rows and the ratio of each to the first.
func table(w io.Writer, rows []row) {
	const line = "%-32s %9s %7s %9s %7s %9s %7s\n"
	fmt.Fprintf(w, line, "", "wall", "ratio", "CPU", "ratio", "memory", "ratio")
	base := rows[0].cost
	for _, r := range rows {
		fmt.Fprintf(w, line, r.name,
			seconds(r.cost.wall), ratio(int64(r.cost.wall), int64(base.wall)),
			seconds(r.cost.cpu), ratio(int64(r.cost.cpu), int64(base.cpu)),
			fmt.Sprintf("%d MiB", r.cost.memory>>20), ratio(r.cost.memory, base.memory))
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func ratio(of, to int64) string { return fmt.Sprintf("%.2f", float64(of)/float64(to)) }
