// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
)

// source is the directory of this package.
func source() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

// build compiles the clients of a workload into dir. They are separate programs, because linked code
// counts as memory too.
func build(ctx context.Context, clients, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", dir+string(filepath.Separator), "./"+clients+"/...")
	cmd.Dir = source()
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the clients: %w\n%s", err, output)
	}
	return dir, nil
}

// measure runs a client in a process of its own. When the client has synced and
// waits for a relist, it calls relist, which returns what the client is to wait for.
func measure(
	ctx context.Context,
	program string,
	env []string,
	job probe.Job,
	relist func() (string, error),
) (result probe.Result, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	line, err := json.Marshal(job)
	if err != nil {
		return result, err
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return result, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return result, err
	}
	if err := cmd.Start(); err != nil {
		return result, err
	}
	talk := func() error {
		if _, err := in.Write(append(line, '\n')); err != nil {
			return err
		}
		answers := bufio.NewReader(stdout)
		answer, err := answers.ReadBytes('\n')
		if err == nil && string(answer) == "ready\n" {
			marker, err := relist()
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(in, marker); err != nil {
				return err
			}
			if answer, err = answers.ReadBytes('\n'); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
		return json.Unmarshal(answer, &result)
	}
	err = talk()
	if err != nil {
		cancel()
	}
	if waited := cmd.Wait(); err != nil || waited != nil {
		return result, fmt.Errorf("%s: %w, %w\n%s", filepath.Base(program), err, waited, stderr.Bytes())
	}
	return result, nil
}
