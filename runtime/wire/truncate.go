// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"errors"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
)

// The parts of an error about an object, in bytes. An object may have many MiB, and the
// errors of decoders quote it.
const (
	maxFault = 2048
	maxPath  = 1024
	maxName  = 384 // all of a valid name, with its namespace
	maxKey   = 128 // of a map, on a path
)

// truncateFault returns err if its text has at most maxFault bytes, and otherwise an error
// with that much of it. That error does not wrap err, which would keep the rest in memory. A
// *json.UnmarshalTypeError stays one if its text can be shortened.
func truncateFault(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if len(text) <= maxFault {
		return err
	}
	if long := (*json.UnmarshalTypeError)(nil); errors.As(err, &long) {
		mismatch := *long
		mismatch.Value = truncate.Text(long.Value, maxKey)
		mismatch.Struct = truncate.Text(long.Struct, maxKey)
		mismatch.Field = truncate.Text(long.Field, maxPath)
		if len(mismatch.Error()) <= maxFault {
			return &mismatch
		}
	}
	return errors.New(truncate.Text(text, maxFault))
}
