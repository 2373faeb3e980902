// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
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
// with that much of it. That error does not wrap err, which would keep the rest in memory.
func truncateFault(err error) error {
	if err == nil || len(err.Error()) <= maxFault {
		return err
	}
	return errors.New(truncate.Text(err.Error(), maxFault))
}
