// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
		"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"
	gather   = 20 * time.Millisecond // that others may join a request
	patience = 10 * time.Second      // for an answer
	maxBytes = 64 << 20              // of a document
)

// Prober asks one API server which resources it serves. Create one with New for each connection. Its methods are
// safe for concurrent use.
type Prober struct {
	client    http.Client
	base      string
	userAgent string

	turn  ctxsync.Mutex // guards the fields below
	began time.Time     // of the last request
	err   error         // of the last request
	last  *document     // the last one
	etag  string        // of last
}

// New returns a prober of the server whose API has its root at base. client must not be nil. If userAgent is "",
// client sets it.
func New(client *http.Client, base, userAgent string) *Prober {
	p := &Prober{client: *client, base: strings.TrimSuffix(base, "/"), userAgent: userAgent, turn: ctxsync.NewMutex()}
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return p
}

// Served returns a function that reports whether the server serves a resource, for the Served of a source. The
// request of its answer is sent after its call. An error means that this is not known.
func (p *Prober) Served(r schema.GroupVersionResource) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		if r.Group == "" {
			return true, nil
		}
		found, err := p.find(ctx, r)
		return found != nil, err
	}
}

// ServedAs is like Served for a resource that is namespaced, or is cluster-scoped. If it is served with the other
// scope, that is an error.
func (p *Prober) ServedAs(r schema.GroupVersionResource, namespaced bool) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		found, err := p.find(ctx, r)
		if found != nil && (found.Namespaced || found.Scope == "Namespaced") != namespaced {
			return false, fmt.Errorf("%s is served with another scope than expected: restart the program, "+
				"with that scope", r.GroupResource())
		}
		return found != nil, err
	}
}

// find returns the resource, or nil if it is absent.
func (p *Prober) find(ctx context.Context, r schema.GroupVersionResource) (*resource, error) {
	d, err := p.groups(ctx)
	if err != nil {
		return nil, err
	}
	found, err := d.find(r)
	if !errors.Is(err, errNextRequest) {
		return found, err
	}
	if d, _, err = p.get(ctx, "/apis/"+r.GroupVersion().String(), ""); err != nil {
		return nil, err
	}
	return d.find(r)
}

// groups returns the document of all groups.
func (p *Prober) groups(ctx context.Context) (*document, error) {
	asked := time.Now()
	if err := p.turn.Lock(ctx); err != nil {
		return nil, err
	}
	defer p.turn.Unlock()
	if !p.began.Before(asked) {
		return p.last, p.err
	}
	ctxsync.Sleep(ctx, gather)
	began := time.Now()
	d, etag, err := p.get(ctx, "/apis", p.etag)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if p.began, p.err = began, err; err == nil {
		p.last, p.etag = d, etag
	}
	return p.last, p.err
}

// get returns the document at path. etag is that of p.last, or "".
func (p *Prober) get(ctx context.Context, path, etag string) (d *document, newTag string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Accept", accept)
	if p.userAgent != "" {
		request.Header.Set("User-Agent", p.userAgent)
	}
	if etag != "" {
		request.Header.Set("If-None-Match", etag)
	}
	answer, err := p.client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	switch body, err := io.ReadAll(io.LimitReader(answer.Body, maxBytes)); {
	case answer.StatusCode == http.StatusNotModified && etag != "":
		return p.last, etag, nil
	case answer.StatusCode != http.StatusOK:
		return nil, "", fmt.Errorf("discovery was answered with %s", answer.Status)
	case err != nil:
		return nil, "", err
	default:
		d = &document{}
		return d, answer.Header.Get("Etag"), json.Unmarshal(body, d)
	}
}
