// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package proxy

import (
	"sync"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// clients are those that suffer, or have suffered, from a fault, by User-Agent.
// The zero value is good.
type clients struct {
	mu sync.Mutex
	by map[string]*client
}

// get returns the client with a User-Agent.
func (c *clients) get(userAgent string) *client {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = make(map[string]*client)
	}
	if c.by[userAgent] == nil {
		c.by[userAgent] = &client{changed: make(chan struct{})}
	}
	return c.by[userAgent]
}

// client is what the proxy knows of the requests with one User-Agent.
type client struct {
	mu      sync.Mutex
	fault   apiserver.Fault
	changed chan struct{} // closed when fault changes, and replaced
}

// now returns the fault of the moment, and a channel that is closed when it changes.
func (c *client) now() (apiserver.Fault, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fault, c.changed
}

func (c *client) set(f apiserver.Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fault = f
	close(c.changed)
	c.changed = make(chan struct{})
}

// Inflict has the clients with these User-Agents suffer from f, in place of what
// they suffered from before.
func (p *Proxy) Inflict(f apiserver.Fault, userAgents ...string) {
	for _, userAgent := range userAgents {
		p.clients.get(userAgent).set(f)
	}
}
