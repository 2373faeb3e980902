// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os/exec"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/control"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/tail"
)

// closeGrace is how long a child may take to end by itself.
const closeGrace = 30 * time.Second

// child is the process of the server and the connection to it.
type child struct {
	process *exec.Cmd
	client  *rpc.Client
	stderr  *tail.Writer
	exited  chan struct{}
	exitErr error // of the process, once exited is closed
}

// launch builds the child, unless o names one that is built, and starts it. The
// child ends when close is called, or when this process ends.
func launch(ctx context.Context, o Options) (*child, error) {
	if o.Binary != "" {
		return launchBinary(o.Binary, o.Log)
	}
	b, err := build(ctx, o.Progress, childRecipe)
	if err != nil {
		return nil, err
	}
	defer b.release()
	return launchBinary(b.path(childName), o.Log)
}

func launchBinary(path string, log io.Writer) (*child, error) {
	c := &child{
		process: exec.Command(path),
		stderr:  &tail.Writer{Next: log},
		exited:  make(chan struct{}),
	}
	c.process.Stderr = c.stderr
	c.process.WaitDelay = time.Second
	in, err := c.process.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("opening the input of the example API server: %w", err)
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("opening the output of the example API server: %w", err)
	}
	if err := c.process.Start(); err != nil {
		return nil, fmt.Errorf("starting the process of the example API server: %w", err)
	}
	drained := &notifyEnd{Reader: out, ended: make(chan struct{})}
	c.client = jsonrpc.NewClient(control.Stream{In: drained, Out: in})
	go func() {
		defer close(c.exited)
		<-drained.ended // Wait closes the pipe, so the client must have read all
		c.exitErr = c.process.Wait()
	}()
	return c, nil
}

// call calls a method of the child and waits for the reply, for ctx or for the
// end of the child.
func (c *child) call(ctx context.Context, method string, args, reply any) error {
	call := c.client.Go(method, args, reply, make(chan *rpc.Call, 1))
	select {
	case <-call.Done:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if failure, ok := errors.AsType[rpc.ServerError](call.Error); ok {
		return errors.New(string(failure))
	}
	if call.Error != nil {
		select {
		case <-c.exited: // all that it wrote has been read
		case <-ctx.Done():
		}
		return fmt.Errorf("the process of the example API server has ended (%w); set Log to see all that it wrote:\n%s",
			call.Error, c.stderr)
	}
	return nil
}

// close tells the child to end, waits for it, and kills it if it does not.
func (c *child) close() error {
	// Closed already means that the child has ended, which exitErr tells.
	_ = c.client.Close()
	timer := time.NewTimer(closeGrace)
	defer timer.Stop()
	select {
	case <-c.exited:
	case <-timer.C:
		// An error means that it has ended after all.
		_ = c.process.Process.Kill()
		<-c.exited
	}
	if c.exitErr != nil {
		return fmt.Errorf("the process of the example API server has ended: %w%s", c.exitErr, c.stderr.Last())
	}
	return nil
}

// notifyEnd closes ended at the first error of a reader, its end included.
type notifyEnd struct {
	io.Reader
	ended chan struct{}
	done  bool
}

func (n *notifyEnd) Read(p []byte) (int, error) {
	count, err := n.Reader.Read(p)
	if err != nil && !n.done {
		n.done = true
		close(n.ended)
	}
	return count, err
}
