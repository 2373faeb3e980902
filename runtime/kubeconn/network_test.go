// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package kubeconn_test

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
)

// pipes is a network within the process, so that time passes in a synctest bubble while no data is sent.
type pipes struct {
	calls  chan net.Conn
	closed chan struct{}
	once   sync.Once

	mu   sync.Mutex
	open []*line
}

// line is the server's end of a connection. When it is dead, no data passes, and neither end gets an
// error.
type line struct {
	net.Conn
	dead atomic.Bool
}

func (l *line) Read(p []byte) (int, error) {
	for {
		n, err := l.Conn.Read(p)
		if err != nil || !l.dead.Load() {
			return n, err
		}
	}
}

func (l *line) Write(p []byte) (int, error) {
	if l.dead.Load() {
		return len(p), nil
	}
	return l.Conn.Write(p)
}

func newPipes() *pipes { return &pipes{calls: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, far := net.Pipe()
	theirs := &line{Conn: far}
	select {
	case p.calls <- theirs:
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = append(p.open, theirs)
	return ours, nil
}

// cut breaks all connections.
func (p *pipes) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		_ = c.Close()
	}
	p.open = nil
}

// silence has all connections go dead.
func (p *pipes) silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.open {
		l.dead.Store(true)
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.calls:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (*pipes) Addr() net.Addr { return &net.UnixAddr{} }
