// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// maxRedirects is the limit of net/http, which a CheckRedirect replaces.
const maxRedirects = 10

// sender returns the http.Client of one request: the caller's if that has a CheckRedirect,
// and otherwise a copy with checkRedirect.
func (e *endpoint) sender() *http.Client {
	if e.client.CheckRedirect != nil {
		return e.client
	}
	own := *e.client
	own.CheckRedirect = checkRedirect
	return &own
}

// checkRedirect allows redirects within the scheme, host and port of the first request. A Transport
// adds credentials to every request, so any other server would receive them, and its answer would be
// taken for the API server's.
func checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return fmt.Errorf("stopped after %d redirects", maxRedirects)
	}
	from, to := via[0].URL, next.URL
	if from.Scheme == to.Scheme && strings.EqualFold(from.Host, to.Host) {
		return nil
	}
	return fmt.Errorf("the server redirects to %s://%s, another server, which would receive the credentials: "+
		"set Conn.BaseURL to where the API server is, or allow the redirect by a CheckRedirect of Conn.Client",
		to.Scheme, to.Host)
}

// redact hides the credentials in the URL of an error of an http.Client. That URL is the
// last one requested: after a redirect it has a query of the server's making.
func (e *endpoint) redact(err error) error {
	var failed *url.Error
	if !errors.As(err, &failed) {
		return err
	}
	shown := *failed
	shown.URL = e.shown()
	return &shown
}

// shown returns the URL of the endpoint without credentials. Either part of the user
// information may be one.
func (e *endpoint) shown() string {
	u := *e.url
	if u.User != nil {
		u.User = url.User("xxxxx")
	}
	return u.String()
}
