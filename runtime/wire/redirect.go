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

// checkRedirect allows redirects within the host and port of the first request, and from http
// to https on the default ports of one host. A Transport adds credentials to every request,
// so any other host would receive them, and its answer would be taken for the API server's.
func checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return fmt.Errorf("stopped after %d redirects", maxRedirects)
	}
	from, to := via[0].URL, next.URL
	upgrades := from.Scheme == "http" && to.Scheme == "https"
	switch {
	case from.Scheme != to.Scheme && !upgrades:
		return redirectError(to, "which is not protected by TLS")
	case !strings.EqualFold(from.Hostname(), to.Hostname()):
		return redirectError(to, "another host")
	case port(from) != port(to) && !(upgrades && port(from) == "80" && port(to) == "443"):
		return redirectError(to, "another port")
	}
	return nil
}

func redirectError(to *url.URL, what string) error {
	return fmt.Errorf("the server redirects to %s://%s, %s, which would receive the credentials: "+
		"set Conn.BaseURL to where the API server is, or allow the redirect by a CheckRedirect of Conn.Client",
		to.Scheme, to.Host, what)
}

// port returns the port of u, or the default port of its scheme.
func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case u.Scheme == "https":
		return "443"
	}
	return "80"
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
