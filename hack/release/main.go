// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "release:", err)
		}
		os.Exit(1)
	}
}

func run(out io.Writer, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	dir := flags.String("C", "..", "the repository's root `directory`")
	prepare := flags.Bool("prepare", false, "set the version in every go.mod; check nothing, tag nothing")
	tag := flags.Bool("tag", false, "create the tags")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *prepare && *tag {
		return errors.New("usage: release [-prepare | -tag] vX.Y.Z")
	}
	version := flags.Arg(0)
	if err := checkVersion(version); err != nil {
		return err
	}
	modules, err := released(*dir)
	if err != nil {
		return err
	}
	if *prepare {
		return pin(modules, version)
	}
	if err := check(*dir, modules, version); err != nil {
		return err
	}
	for _, m := range modules {
		if *tag {
			if _, err := git(*dir, "tag", "--annotate", "--message", m.tag(version), m.tag(version)); err != nil {
				return err
			}
		}
		fmt.Fprintln(out, m.tag(version))
	}
	return nil
}
