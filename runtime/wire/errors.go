// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import "errors"

// ErrObjectTooLarge is wrapped by the error of a list or watch that met a value
// larger than Conn.MaxObjectBytes.
var ErrObjectTooLarge = errors.New("larger than Conn.MaxObjectBytes allows")

// ErrListTooLarge is wrapped by the error of a list that was larger than
// Conn.MaxListBytes.
var ErrListTooLarge = errors.New("larger than Conn.MaxListBytes allows")
