// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// response is the body of a response with code 200.
type response struct {
	ctx      context.Context
	cancel   context.CancelFunc
	body     io.ReadCloser
	endpoint *endpoint
	// left is the number of bytes that the list may still have. It is negative if the list had too
	// many.
	left     int64
	protobuf bool
}

// open sends a request; verb is "list" or "watch". The caller must close the response. The request
// ends with ctx. It also ends after the time limit in opts and a grace period, if the server does not
// end it.
func (e *endpoint) open(ctx context.Context, verb string, opts metav1.ListOptions) (*response, error) {
	if e.err != nil {
		return nil, e.err
	}
	target, err := e.withQuery(opts)
	if err != nil {
		return nil, err
	}
	ctx, done := e.deadline(ctx, verb, opts)
	asking, hangUp := context.WithCancel(ctx)
	cancel := func() { hangUp(); done() }
	body, protobuf, err := e.get(asking, hangUp, verb, target)
	if err != nil {
		e.noteEnd(ctx)
		if err = truncate.Error(err); ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		cancel()
		return nil, err
	}
	return &response{
		ctx: ctx, cancel: cancel, body: body, endpoint: e, left: e.maxList,
		protobuf: protobuf,
	}, nil
}

// noteEnd records that the server did not answer in time, unless the caller canceled the request.
func (e *endpoint) noteEnd(ctx context.Context) {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), context.Canceled) {
		e.doubtful.Store(true)
	}
}

func (e *endpoint) deadline(
	ctx context.Context, verb string, opts metav1.ListOptions,
) (context.Context, context.CancelFunc) {
	if opts.TimeoutSeconds == nil || *opts.TimeoutSeconds <= 0 || *opts.TimeoutSeconds > math.MaxInt32 {
		return context.WithCancel(ctx)
	}
	allowed := time.Duration(*opts.TimeoutSeconds)*time.Second + e.grace
	return context.WithTimeoutCause(ctx, allowed, fmt.Errorf(
		"%s of %s: the server did not end it within %d s and a grace of %v",
		verb, e.resource, *opts.TimeoutSeconds, e.grace))
}

// get returns the body of a response with code 200, which is protobuf or JSON. ctx is the context of
// the request, and hangUp cancels it.
func (e *endpoint) get(
	ctx context.Context, hangUp func(), verb, target string,
) (body io.ReadCloser, protobuf bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, false, err
	}
	accept := e.acceptList
	if verb == "watch" {
		accept = e.acceptWatch
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("User-Agent", e.userAgent)
	if e.doubtful.Swap(false) {
		// The connection may be dead. Without pings of the Transport, HTTP/2 would use it for up to 15
		// minutes, until the kernel gives up. So this is its last request.
		e.client.CloseIdleConnections()
		request.Close = true
	}
	answer, err := e.sender().Do(request)
	if err != nil {
		return nil, false, e.redact(err)
	}
	if answer.StatusCode != http.StatusOK {
		return nil, false, e.statusOf(verb, answer, e.readRefusal(answer.Body, maxStatusBytes, hangUp))
	}
	protobuf, err = e.checkContentType(answer.Header.Get("Content-Type"))
	switch {
	case errors.Is(err, errContentType):
		began := e.readRefusal(answer.Body, 128, hangUp)
		return nil, false, fmt.Errorf("%s of %s: %w, beginning %q; check Conn.BaseURL",
			verb, e.resource, err, began)
	case err != nil:
		e.readRefusal(answer.Body, 0, hangUp)
		return nil, false, fmt.Errorf("%s of %s: %w", verb, e.resource, err)
	}
	return answer.Body, protobuf, nil
}

var errContentType = errors.New("instead of JSON or protobuf")

// checkContentType returns an error for a response in another form, such as a proxy's login page.
// Decoding it would only report a syntax error.
func (e *endpoint) checkContentType(contentType string) (protobuf bool, err error) {
	if contentType == "" {
		return false, nil
	}
	media, params, err := mime.ParseMediaType(contentType)
	if err == nil && (media == mediaJSON || media == mediaProtobuf && e.protobuf) {
		if as := params["as"]; as == "Table" {
			return false, errTable
		}
		return media == mediaProtobuf, nil
	}
	return false, fmt.Errorf("the server answered with %q %w", truncate.Text(contentType, maxKey), errContentType)
}

// Close ends the request.
func (r *response) Close() {
	r.endpoint.noteEnd(r.ctx)
	r.cancel()
	_ = r.body.Close()
}

// endless removes the limit, because a watch follows. It must not be called during Read.
func (r *response) endless() { r.left = math.MaxInt64 }

// Read implements io.Reader. After ctx has ended, the error is the cause of ctx.
func (r *response) Read(p []byte) (int, error) {
	if r.left < 0 {
		return 0, fmt.Errorf("the list is %w (%d bytes); raise that limit, "+
			"or request less by namespaces or selectors", ErrListTooLarge, r.endpoint.maxList)
	}
	if int64(len(p))-1 > r.left {
		p = p[:r.left+1] // one byte more than allowed shows that the list is too large
	}
	n, err := r.body.Read(p)
	r.left -= int64(n)
	switch {
	case errors.Is(err, io.EOF):
	case r.ctx.Err() != nil: // also without an error: a decompressor may have much more
		return 0, stoppedError{context.Cause(r.ctx)}
	case err != nil:
		err = fmt.Errorf("%w: %w", source.ErrCut, err)
	}
	return n, err
}

// stoppedError wraps an error that is returned to the caller unchanged, without a position.
type stoppedError struct{ error }
