// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import "errors"

// ErrCut is wrapped by the error of a list or watch whose connection broke. Everything received
// before is valid.
var ErrCut = errors.New("the connection was cut")
