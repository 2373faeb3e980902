// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

// returns is the comment of a query that returns a slice.
func (q query) returns(which string) string {
	return "returns " + which + " " + objects(q.t, q.ix, q.t.Plural) + " " + q.condition() + "."
}

// returnsFirst is the comment of a query that returns one object.
func (q query) returnsFirst() string {
	return "returns the " + objects(q.t, q.ix, q.t.Kind) + " " + q.condition() +
		". Of several, it returns the first by " + objectKey(q.t) + "."
}
