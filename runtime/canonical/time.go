// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package canonical

import (
	"cmp"
	"time"
)

// Time is an instant with nanoseconds. Two Times are equal under == if their instants are
// equal, whatever their time zones and clock readings. The zero Time is 1970 in UTC, which is
// not the zero time.Time. It has the range of time.Time.
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

// Compare returns -1 if t is earlier than other, 0 if they are equal, and 1 if t is later.
func (t Time) Compare(other Time) int {
	return cmp.Or(cmp.Compare(t.seconds, other.seconds), cmp.Compare(t.nanoseconds, other.nanoseconds))
}

// String formats the instant as RFC 3339, in UTC.
func (t Time) String() string { return t.Time().Format(time.RFC3339Nano) }
