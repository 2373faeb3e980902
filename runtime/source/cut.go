// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import "errors"

// ErrCut is what an error wraps that says that the connection broke, by which a list or
// watch came: what was received is sound, and there is nothing wrong with the request.
var ErrCut = errors.New("the connection was cut")
