// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package trigger

import (
	"fmt"
	"slices"
	"strings"
)

// Cause says which changes made a key pending: those that came by one edge.
type Cause struct {
	// Edge names the resources on the way, such as "gatewayclasses → gateways → httproutes".
	Edge string
	// Key is the object that changed first.
	Key Key
	// Initial is set if all changes are additions of initial lists.
	Initial bool
	// Count is the number of changes. A change that leads to the key in two ways counts twice.
	Count int
}

// Causes has one Cause for each edge, the first one first.
type Causes []Cause

// Initial reports whether all changes are additions of initial lists. Such keys may wait for others.
func (c Causes) Initial() bool {
	return !slices.ContainsFunc(c, func(c Cause) bool { return !c.Initial })
}

// String is for logs: "secrets → widgets: shop/database (2 changes)".
func (c Causes) String() string {
	var all []string
	for _, cause := range c {
		text := cause.Edge + ": " + strings.TrimPrefix(cause.Key.String(), "/")
		if cause.Count > 1 {
			text += fmt.Sprintf(" (%d changes)", cause.Count)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func (c Causes) merge(cause Cause) Causes {
	for i := range c {
		if c[i].Edge == cause.Edge {
			c[i].Count += cause.Count
			c[i].Initial = c[i].Initial && cause.Initial
			return c
		}
	}
	return append(c, cause)
}

// EdgeStats counts what became of the changes of an edge since its trigger was created.
type EdgeStats struct {
	// Edge is the name of the edge; see [Cause].
	Edge string
	// Delivered is the number of keys that became pending, and Merged that of keys that were
	// pending already.
	Delivered, Merged uint64
	// Unchanged is the number of updates that Changed dropped, and Unmet that of keys that If dropped.
	Unchanged, Unmet uint64
}
