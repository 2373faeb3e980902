// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/control"
)

// FaultKind names something that can go wrong between a client and the server.
type FaultKind string

// Kinds of faults. While one lasts it holds for new requests. What becomes of
// responses under way is said at each kind; by default they end as if they were
// complete, so that the client makes a new request at once.
const (
	// NoFault ends the fault of a client.
	NoFault FaultKind = ""
	// Cut closes the connection without answering, also of responses under way.
	Cut FaultKind = "cut"
	// HalfClose ends the server's half of the connection in the middle of a
	// response, also of one under way, and leaves the client's half open.
	HalfClose FaultKind = "half-close"
	// Stall delivers nothing, neither of new responses nor of those under way.
	// When it ends, everything is delivered.
	Stall FaultKind = "stall"
	// Trickle delivers 100 bytes every 10 ms, also of responses under way.
	Trickle FaultKind = "trickle"
	// TruncatedGzip ends a compressed response early, as if it were complete.
	// Clients that do not accept gzip are cut in the middle of a response.
	TruncatedGzip FaultKind = "truncated gzip"
	// Unauthorized answers 401 with a Kubernetes Status.
	Unauthorized FaultKind = "401"
	// Throttled answers 429 with a Kubernetes Status and Retry-After: 1.
	Throttled FaultKind = "429"
	// InternalError answers 500 with a Kubernetes Status.
	InternalError FaultKind = "500"
	// HTML answers 200 with a web page.
	HTML FaultKind = "HTML"
	// Redirect answers 307 with the path and query of the request at Fault.URL.
	Redirect FaultKind = "redirect"
)

// Fault is what a client suffers from. The zero value is no fault.
type Fault struct {
	Kind FaultKind
	URL  string // the scheme and host that Redirect sends clients to
	// Renew has Stall and Trickle end responses under way as if they were
	// complete, so that the client suffers in its next request.
	Renew bool
}

// Inflict has the clients with these User-Agents suffer from f, in place of
// what they suffered from before. NoFault ends it. Other clients notice nothing, unless they
// share a connection with it, as clients of equal rest.Configs do.
func (s *Server) Inflict(ctx context.Context, f Fault, userAgents ...string) error {
	args := control.InflictArgs{Kind: string(f.Kind), URL: f.URL, Renew: f.Renew, UserAgents: userAgents}
	return s.call(ctx, control.Inflict, args, new(control.None))
}
