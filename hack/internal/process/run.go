// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package process runs programs under measurement, and has what such a program measures of itself.
//
// Run writes a job to the program's standard input. The program writes its result to its standard output. In between
// it may wait, as often as it likes, while its caller does something. All of it is JSON.
package process

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// runVariable is set in the environment of the programs that Self returns.
const runVariable = "INDEXER_GEN_PROCESS"

// Self returns this program, to run under measurement. IsRun reports in a process whether it was started so.
func Self(ctx context.Context) *exec.Cmd {
	name, err := os.Executable()
	cmd := exec.CommandContext(ctx, name)
	if err != nil {
		cmd.Err = err
	}
	cmd.Env = append(os.Environ(), runVariable+"=1")
	return cmd
}

// IsRun reports whether this process runs what Self returns.
func IsRun() bool { return os.Getenv(runVariable) != "" }

// answer is what a program writes: that it waits, or its result.
type answer struct {
	Waits  bool
	Result json.RawMessage
}

// Run runs a program with a job, and decodes its result. It calls paused each time that the program waits, and sends it
// what that returns.
func Run(cmd *exec.Cmd, job, result any, paused func() (reply string, err error)) error {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = talk(json.NewEncoder(in), json.NewDecoder(out), job, result, paused)
	if err != nil {
		_ = cmd.Process.Kill()
	}
	if err = errors.Join(err, cmd.Wait()); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, stderr.Bytes())
	}
	return nil
}

func talk(to *json.Encoder, from *json.Decoder, job, result any, paused func() (string, error)) error {
	if err := to.Encode(job); err != nil {
		return err
	}
	for {
		var a answer
		if err := from.Decode(&a); err != nil {
			return err
		}
		if !a.Waits {
			return json.Unmarshal(a.Result, result)
		}
		reply, err := paused()
		if err != nil {
			return err
		}
		if err := to.Encode(reply); err != nil {
			return err
		}
	}
}

// Caller is the program that runs this one.
type Caller struct {
	in  *json.Decoder
	out *json.Encoder
}

// Begin reads the job.
func Begin(job any) (*Caller, error) {
	c := &Caller{json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)}
	return c, c.in.Decode(job)
}

// Wait returns the reply of the caller, who does something meanwhile.
func (c *Caller) Wait() (reply string, err error) {
	if err := c.out.Encode(answer{Waits: true}); err != nil {
		return "", err
	}
	return reply, c.in.Decode(&reply)
}

// End writes the result.
func (c *Caller) End(result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return c.out.Encode(answer{Result: text})
}
