// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestMain is the program under measurement: it waits as often as its job says, and joins the replies.
func TestMain(m *testing.M) {
	if !IsRun() {
		os.Exit(m.Run())
	}
	waits := 0
	c, err := Begin(&waits)
	var replies []string
	for range waits {
		reply, waitErr := c.Wait()
		replies, err = append(replies, reply), errors.Join(err, waitErr)
	}
	if waits == 0 {
		err = errors.New("no job")
	}
	if err = errors.Join(err, c.End(replies)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func TestRun(t *testing.T) {
	paused := 0
	reply := func() (string, error) {
		paused++
		return fmt.Sprint("reply ", paused), nil
	}
	var replies []string
	if err := Run(Self(t.Context()), 2, &replies, reply); err != nil || strings.Join(replies, ", ") != "reply 1, reply 2" {
		t.Errorf("got %q, %v", replies, err)
	}
	if err := Run(Self(t.Context()), 0, &replies, reply); err == nil || !strings.Contains(err.Error(), "no job") {
		t.Errorf("a program that fails: %v", err)
	}
	failed := errors.New("the server is gone")
	if err := Run(Self(t.Context()), 1, &replies, func() (string, error) { return "", failed }); !errors.Is(err, failed) {
		t.Errorf("a pause that fails: %v", err)
	}
}
