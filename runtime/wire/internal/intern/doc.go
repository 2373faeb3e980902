// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package intern shares memory between decoded objects: equal strings, and values that were decoded from
// equal text.
//
// Strings are looked up in a table of at most 8,192 strings and 1 MiB (strings.go). Each place in a type
// learns whether its strings repeat, like labels and node names, and stops looking for a while if they do
// not, like names and UIDs (sampler.go). FieldsV1 and other values are found by the place and the text that
// they were decoded from (memo.go), and places learn in the same way.
//
// A Cache remembers a tenth of what the caller holds ([Cache.Limit]), at least 64 KiB and at most 11 MiB:
// otherwise many small caches would remember more than they hold.
package intern

import "github.com/indexer-gen/indexer-gen/runtime/wire/internal/places"

// Cache holds what repeats: strings, fieldsV1 and other values. It
// learns for each place in a type whether it is worth to look there. A Cache must not be used
// concurrently.
type Cache struct {
	budget  int
	strings table
	sites   places.Map[Sampler]
	values  memo
}

const (
	minBudget = 64 << 10
	maxBudget = 16 << 20 // all parts have their largest size
)

// New returns an empty Cache with the smallest limit.
func New() *Cache {
	c := &Cache{}
	c.Limit(0)
	return c
}

// Limit sets the limit of c to a tenth of held, which is the size in bytes of all objects that the caller
// holds. If that is less than half of the limit so far, c forgets everything.
func (c *Cache) Limit(held int64) {
	budget := int(min(max(held/10, minBudget), maxBudget))
	if budget <= c.budget && budget > c.budget/2 {
		return
	}
	if budget < c.budget {
		c.strings, c.values = table{}, memo{}
	}
	c.budget = budget
	c.strings.most = min(budget/2048, mostSets) // of about a kilobyte at most
	c.values.limit = min(budget/16*5, 5<<20)    // of two generations
}

// Places numbers the places in types where strings and shared values occur.
var Places places.Counter
