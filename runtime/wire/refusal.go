// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
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
	// endPatience bounds the wait for the end of a body after its useful part. A connection can
	// only be used again after the end.
	endPatience = 250 * time.Millisecond
)

// readRefusal returns at most limit bytes of a body, or the JSON object at its start, as far as they
// arrive in time. It closes the body. hangUp interrupts reads of the body.
func (e *endpoint) readRefusal(body io.ReadCloser, limit int, hangUp func()) []byte {
	defer body.Close()
	timer := time.AfterFunc(refusalPatience, func() {
		e.doubtful.Store(true)
		hangUp()
	})
	text := readFirst(body, limit)
	if timer.Stop() {
		timer = time.AfterFunc(endPatience, hangUp)
		_, _ = io.CopyN(io.Discard, body, maxQuotedBytes)
		timer.Stop()
	}
	return text
}

// readFirst returns at most limit bytes of r, or the JSON object at its start. If r fails, it returns
// what was read.
func readFirst(r io.Reader, limit int) []byte {
	var (
		text    []byte
		end     extent
		scanned int
		chunk   [4 << 10]byte
	)
	for len(text) < limit {
		n, err := r.Read(chunk[:min(len(chunk), limit-len(text))])
		text = append(text, chunk[:n]...)
		if object := bytes.TrimLeft(text, " \t\r\n"); len(object) > 0 && object[0] == '{' {
			var complete bool
			if scanned, complete = end.scan(object, scanned); complete {
				return object[:scanned]
			}
		}
		if err != nil {
			break
		}
	}
	return text
}
