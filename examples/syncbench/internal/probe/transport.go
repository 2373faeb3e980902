// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"net/http"
	"sync/atomic"
)

// Requests counts the lists among the requests that pass through it. A watch
// that begins with everything counts as one.
type Requests struct{ lists atomic.Int64 }

// Lists is how many there were.
func (r *Requests) Lists() int { return int(r.lists.Load()) }

// Wrap returns next with the counter in front.
func (r *Requests) Wrap(next http.RoundTripper) http.RoundTripper { return counted{next, r} }

type counted struct {
	next     http.RoundTripper
	requests *Requests
}

func (c counted) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query()
	if watch := query.Get("watch"); (watch != "true" && watch != "1") ||
		query.Get("sendInitialEvents") == "true" {
		c.requests.lists.Add(1)
	}
	return c.next.RoundTrip(request)
}
