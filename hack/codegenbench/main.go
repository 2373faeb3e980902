// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each is run")
	flag.Parse()
	if *rounds < 1 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./hack/codegenbench [-rounds n]")
		os.Exit(2)
	}
	if err := bench(os.Stdout, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "codegenbench:", err)
		os.Exit(1)
	}
}

// bench runs all rounds and prints the table.
func bench(w io.Writer, rounds int) error {
	s, err := newScratch()
	if err != nil {
		return err
	}
	defer s.remove()
	var ours, again, theirs []cost
	for n := range rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", n+1, rounds)
		if err := s.clean(); err != nil {
			return err
		}
		first, err := s.run(s.ours())
		if err != nil {
			return err
		}
		before, err := s.written()
		if err != nil {
			return err
		}
		second, err := s.run(s.ours())
		if err != nil {
			return err
		}
		if err := s.unchanged(before); err != nil {
			return err
		}
		pair, err := s.run(s.theirs()...)
		if err != nil {
			return err
		}
		ours, again, theirs = append(ours, first), append(again, second), append(theirs, pair)
	}
	fmt.Fprintf(w, "%d packages of k8s.io/api %s, median of %d rounds\n\n", len(s.packages), version, rounds)
	rows := []row{
		{"lister-gen and informer-gen", median(theirs)},
		{"indexer-gen", median(ours)},
		{"indexer-gen, nothing to change", median(again)},
	}
	table(w, rows)
	return promised(rows)
}

// promised returns an error if a row costs more than promised, relative to the first row.
func promised(rows []row) error {
	const share, memory = 4, 1 << 30
	base := rows[0].cost
	for _, r := range rows[1:] {
		switch {
		case r.cost.cpu > base.cpu/share:
			return fmt.Errorf(
				"%s: CPU %s is more than a quarter of %s",
				r.name,
				seconds(r.cost.cpu),
				seconds(base.cpu),
			)
		case r.cost.memory >= memory:
			return fmt.Errorf("%s: %d MiB of memory are not less than 1 GiB", r.name, r.cost.memory>>20)
		}
	}
	return nil
}
