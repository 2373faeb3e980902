// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/generator"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// commandFlags holds the flags of a command.
type commandFlags struct {
	cfg                       generator.Config
	printsJSON, printsVersion bool
}

// newFlagSet returns a flag set with the flags of all commands, which parses into c.
func (c *commandFlags) newFlagSet(name string, stderr io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {}
	flags.BoolVar(&c.cfg.All, "all", false,
		"generate for every root type, not only for marked ones; in a package that marks\n"+
			"types with +kubebuilder:object:root or +genclient, only for those that can be\n"+
			"listed and watched")
	flags.StringVar(&c.cfg.Output, "o", "",
		"write to this `directory`, as a package of its own, instead of beside the types;\n"+
			"{path} stands for the path of the types' package in its module")
	flags.StringVar(&c.cfg.Package, "package", "",
		"with -o, the `name` of the emitted package (default: that of the directory)")
	flags.Func("target",
		"emit code for these `caches`, separated by commas: native, client-go, controller-runtime\n"+
			"(default native)", c.parseTargets)
	return flags
}

// parseArguments parses arguments. It returns the exit code, and true if the command ends with it.
func parseArguments(flags *flag.FlagSet, args []string, stderr io.Writer, help func()) (code int, done bool) {
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		help()
		return exitOK, true
	case err != nil:
		fmt.Fprintf(stderr, "usage: %s [flags] [packages]; %[1]s -help lists flags\n", flags.Name())
		return exitUsage, true
	}
	return exitOK, false
}

// runGenerate runs the generator, prints the results and returns the exit code.
func (c *commandFlags) runGenerate(ctx context.Context, start time.Time, stdout, stderr io.Writer) int {
	result, err := generator.Run(ctx, c.cfg)
	switch {
	case err != nil && c.printsJSON:
		printErrorsJSON(stdout, err)
		return exitFailed
	case err != nil:
		printErrors(stderr, err)
		return exitFailed
	case c.printsJSON:
		printFilesJSON(stdout, result, c.cfg)
	default:
		printDiffsAndRemovals(stdout, result, c.cfg)
	}
	return printSummaryAndMissing(stderr, result, c.cfg, time.Since(start))
}

// parseTargets parses the flag -target.
func (c *commandFlags) parseTargets(list string) error {
	c.cfg.Targets = nil
	for name := range strings.SplitSeq(list, ",") {
		t := model.Target(name)
		if !slices.Contains(model.Targets, t) {
			return fmt.Errorf("there is no target %q; choose from %s, %s and %s", name,
				model.Native, model.ClientGo, model.ControllerRuntime)
		}
		if !slices.Contains(c.cfg.Targets, t) {
			c.cfg.Targets = append(c.cfg.Targets, t)
		}
	}
	return nil
}
