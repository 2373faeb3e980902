// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"net/http"
	"sync/atomic"
)

// Requests counts the lists and watches among the requests that pass through it. A watch that begins with
// everything counts as both.
type Requests struct{ lists, watches atomic.Int64 }

// Lists returns the number of lists.
func (r *Requests) Lists() int { return int(r.lists.Load()) }

// Watches returns the number of watches.
func (r *Requests) Watches() int { return int(r.watches.Load()) }

// Wrap returns next with the counter in front.
func (r *Requests) Wrap(next http.RoundTripper) http.RoundTripper { return counted{next, r} }

type counted struct {
	next     http.RoundTripper
	requests *Requests
}

func (c counted) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query()
	watches := query.Get("watch") == "true" || query.Get("watch") == "1"
	if watches {
		c.requests.watches.Add(1)
	}
	if !watches || query.Get("sendInitialEvents") == "true" {
		c.requests.lists.Add(1)
	}
	return c.next.RoundTrip(request)
}
