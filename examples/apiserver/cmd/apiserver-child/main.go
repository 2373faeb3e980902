// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

// Command apiserver-child is the example API server as a child process of
// package apiserver, which builds it, starts it and talks JSON-RPC to it over
// its standard input and output. It is of no use to people. It ends when its
// input does, and so does not survive its parent.
package main

import (
	"context"
	"fmt"
	"io"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/control"
)

// orphanGrace is how long the server may take to end once the parent has gone.
const orphanGrace = 20 * time.Second

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "apiserver-child:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.WriteCloser) error {
	// A signal to the process group reaches the parent too, which then ends us
	// when it is done with us.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	// If the parent has gone, what we write to it must not keep us from cleaning
	// up.
	signal.Ignore(syscall.SIGPIPE)
	// Printing must not disturb the protocol.
	os.Stdout = os.Stderr

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &service{ctx: ctx}
	server := rpc.NewServer()
	if err := server.RegisterName(control.Service, s); err != nil {
		return fmt.Errorf("registering the protocol: %w", err)
	}
	// ServeCodec returns after the calls in progress, which the end of the
	// input cuts short.
	server.ServeCodec(jsonrpc.NewServerCodec(control.Stream{In: &untilEnd{in, cancel}, Out: out}))
	return s.close()
}

// untilEnd calls end at the first error of a reader, its end included.
type untilEnd struct {
	io.Reader
	end func()
}

func (u *untilEnd) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if err != nil {
		u.end()
		time.AfterFunc(orphanGrace, func() { os.Exit(2) })
	}
	return n, err
}
