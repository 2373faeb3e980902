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
	"net/url"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
		"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"
	gather   = 20 * time.Millisecond // that others may join a request
	patience = 10 * time.Second      // for an answer
)

// Prober asks one API server which resources it serves. Create one with New for each connection. Its methods are
// safe for concurrent use.
type Prober struct {
	client    http.Client
	root      *url.URL // nil if it is not a URL
	userAgent string

	turn  ctxsync.Mutex // guards the fields below
	began time.Time     // of the last request
	last  document      // its answer, or err
	err   error
}

// New returns a prober of the server whose API has its root at base. A query of base does not count. client must not be nil. If userAgent is "", client sets it.
func New(client *http.Client, base, userAgent string) *Prober {
	p := &Prober{client: *client, userAgent: userAgent, turn: ctxsync.NewMutex()}
	if u, err := url.Parse(base); err == nil {
		p.root = &url.URL{Scheme: u.Scheme, User: u.User, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	}
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	p.client.Timeout = patience
	return p
}

// Served returns a function that reports whether the server serves r, for the Served of a source. The request of
// its answer is sent after its call. An error means that this is not known, or that r is served with another scope
// than scope, which may be nil.
func (p *Prober) Served(r schema.GroupVersionResource, scope meta.RESTScope) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		if r.Group == "" {
			return true, nil
		}
		groups, err := p.groups(ctx)
		if err != nil {
			return false, err
		}
		v, err := groups.find(r.GroupVersion())
		if v == nil {
			return false, err
		}
		if groups.Kind == "APIGroupList" {
			list, err := p.get(ctx, "", "apis", r.Group, r.Version)
			if err != nil {
				return false, err
			}
			if list.Kind == "APIResourceList" && list.GroupVersion == r.GroupVersion().String() {
				v.Resources = list.Resources
			}
		}
		return v.serves(r, scope)
	}
}

// groups returns the document of all groups.
func (p *Prober) groups(ctx context.Context) (document, error) {
	asked := time.Now()
	if err := p.turn.Lock(ctx); err != nil {
		return document{}, err
	}
	defer p.turn.Unlock()
	if !p.began.Before(asked) {
		return p.last, p.err
	}
	ctxsync.Sleep(ctx, gather)
	began := time.Now()
	p.last, p.err = p.get(ctx, p.last.etag, "apis")
	if ctx.Err() == nil {
		p.began = began
	}
	return p.last, p.err
}

// get returns the document at path, or p.last if that has etag and has not changed.
func (p *Prober) get(ctx context.Context, etag string, path ...string) (d document, err error) {
	if p.root == nil {
		return d, errors.New("the address of the server is no URL (not shown, because it may contain a password)")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.root.JoinPath(path...).String(), nil)
	if err != nil {
		return d, err
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
		return d, err
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusNotModified && etag != "" {
		return p.last, nil
	}
	if answer.StatusCode != http.StatusOK {
		return d, fmt.Errorf("discovery was answered with %s", answer.Status)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(body, &d); err != nil {
		return document{}, err
	}
	d.etag = answer.Header.Get("Etag")
	return d, nil
}
