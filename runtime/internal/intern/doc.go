// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package intern shares memory between decoded objects: equal strings, and values that were decoded from
// equal text.
//
// Strings are looked up in a table of at most 8,192 strings and 1 MiB (strings.go). Each place in a type
// learns whether its strings repeat, like labels and node names, and stops looking for a while if they do
// not, like names and UIDs (sampler.go). FieldsV1 and other values are found by the place and the text that
// they were decoded from (memo.go), and places learn in the same way. A decoder keeps about 12 MiB at most.
package intern

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/places"
)

// Cache holds what repeats, at most 1 MiB of strings, 2 MiB of fieldsV1 and 8 MiB of other values. It
// learns for each place in a type whether it is worth to look there. A Cache must not be used
// concurrently.
type Cache struct {
	strings    table
	sites      places.Map[Sampler]
	fields     memo[fieldsV1]
	fieldsSite Sampler
	values     memo[reflect.Value]
}

// New returns an empty Cache.
func New() *Cache {
	return &Cache{fields: memo[fieldsV1]{limit: 1 << 20}, values: memo[reflect.Value]{limit: 4 << 20}}
}

// Places numbers the places in types where strings and shared values occur.
var Places places.Counter
