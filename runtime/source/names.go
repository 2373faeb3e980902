// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"fmt"
	"sync"
)

// partNames assigns a unique name to each part. Names are never reused: a reused name would make a
// new part look like one that was removed.
type partNames[P comparable] struct {
	mu    sync.Mutex
	given map[P]string
	taken map[string]bool
}

// of returns the name of p.
func (n *partNames[P]) of(p P) string {
	if text, ok := any(p).(string); ok {
		return text
	}
	text := fmt.Sprint(p) // may call a method of p
	n.mu.Lock()
	defer n.mu.Unlock()
	name, ok := n.given[p]
	if ok {
		return name
	}
	if n.given == nil {
		n.given, n.taken = map[P]string{}, map[string]bool{}
	}
	name = text
	for i := 2; n.taken[name]; i++ {
		name = fmt.Sprintf("%s (%d)", text, i)
	}
	n.given[p], n.taken[name] = name, true
	return name
}
