// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package loopback listens for connections from this machine that can be cut
// and refused.
package loopback

import (
	"fmt"
	"net"
	"sync"
)

// Listener listens on a port of loopback and knows its live connections. Its
// methods may be called concurrently.
type Listener struct {
	net.Listener

	mu     sync.Mutex
	refuse bool
	live   map[*connection]struct{}
}

// Listen listens on a free port.
func Listen() (*Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening on loopback: %w", err)
	}
	return &Listener{Listener: l, live: make(map[*connection]struct{})}, nil
}

// Accept waits for a connection that is not refused.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		tracked := &connection{Conn: conn, listener: l}
		if l.add(tracked) {
			return tracked, nil
		}
		reset(conn)
	}
}

// Cut closes the live connections, whatever is going on in them, and returns
// how many there were.
func (l *Listener) Cut() int {
	l.mu.Lock()
	live := l.live
	l.live = make(map[*connection]struct{})
	l.mu.Unlock()
	for conn := range live {
		conn.Conn.Close()
	}
	return len(live)
}

// Refuse resets each new connection as long as it is on. Live connections stay.
// After Refuse(true) and Cut none is left.
func (l *Listener) Refuse(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refuse = on
}

// add notes a connection, or reports false if new ones are refused.
func (l *Listener) add(c *connection) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refuse {
		return false
	}
	l.live[c] = struct{}{}
	return true
}

func (l *Listener) remove(c *connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.live, c)
}

// reset closes a connection so that the peer sees a reset, not an end.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		// If it cannot be set, the peer sees an end, which it must survive too.
		_ = tcp.SetLinger(0)
	}
	conn.Close()
}

type connection struct {
	net.Conn
	listener *Listener
}

// CloseWrite ends the half of the connection that sends.
func (c *connection) CloseWrite() error { return c.Conn.(*net.TCPConn).CloseWrite() }

func (c *connection) Close() error {
	c.listener.remove(c)
	return c.Conn.Close()
}
