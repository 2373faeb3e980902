// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"io"
	"time"
)

const (
	// maxStatusBytes bounds the part of an error response's body that is read.
	maxStatusBytes = 1 << 20
	// maxQuotedBytes bounds the quoted part of a body in an error.
	maxQuotedBytes = 2048
	// refusalPatience bounds the time spent on reading the body of an error response.
	refusalPatience = 5 * time.Second
)

// readRefusal returns at most limit bytes of a body, as far as they arrive in time. It closes the body.
// hangUp interrupts reads of the body.
func (e *endpoint) readRefusal(body io.ReadCloser, limit int64, hangUp func()) []byte {
	defer body.Close()
	timer := time.AfterFunc(refusalPatience, func() {
		e.doubtful.Store(true)
		hangUp()
	})
	defer timer.Stop()
	text, _ := io.ReadAll(io.LimitReader(body, limit))
	return text
}
