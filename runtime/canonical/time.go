// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package canonical

import (
	"cmp"
	"time"
)

// Time is an instant, to the nanosecond: equal for equal instants, whatever their
// zones and whether they came off a clock. The zero Time is not that of time.Time,
// but 1970 in UTC; like time.Time it reaches beyond the years that anyone writes.
type Time struct {
	seconds     int64 // since 1970
	nanoseconds int32
}

// TimeOf returns the key of t. It does not allocate.
func TimeOf(t time.Time) Time {
	return Time{t.Unix(), int32(t.Nanosecond())} //nolint:gosec // below 1e9
}

// Time returns the instant, in UTC.
func (t Time) Time() time.Time { return time.Unix(t.seconds, int64(t.nanoseconds)).UTC() }

// Compare returns -1, 0 or 1: earlier, equal, later.
func (t Time) Compare(other Time) int {
	return cmp.Or(cmp.Compare(t.seconds, other.seconds), cmp.Compare(t.nanoseconds, other.nanoseconds))
}

// String prints the instant as RFC 3339 has it.
func (t Time) String() string { return t.Time().Format(time.RFC3339Nano) }
