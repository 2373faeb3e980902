// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// bearer is a Transport that adds a token to every request, as that of client-go does.
type bearer struct{ http.RoundTripper }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer secret")
	return b.RoundTripper.RoundTrip(r)
}

// Another host, port or scheme never gets a request, nor the token, unless the caller's own
// CheckRedirect lets it.
func TestRedirectsToAnotherServer(t *testing.T) {
	for _, test := range []struct{ from, to string }{{"http", "http"}, {"http", "https"}, {"https", "http"}, {"https", "https"}} {
		t.Run(test.from+" to "+test.to, func(t *testing.T) {
			var tokens atomic.Int32
			list := listJSON(widgetJSON("a"))
			start := func(scheme string, handler http.HandlerFunc) *httptest.Server {
				server := httptest.NewUnstartedServer(handler)
				if scheme == "https" {
					server.StartTLS()
				} else {
					server.Start()
				}
				t.Cleanup(server.Close)
				return server
			}
			other := start(test.to, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") == "Bearer secret" {
					tokens.Add(1)
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, list)
			})
			server := start(test.from, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", other.URL+"/?token=secret")
				w.WriteHeader(http.StatusTemporaryRedirect)
			})
			transport := server.Client().Transport
			if test.to == "https" {
				transport = other.Client().Transport // httptest has one certificate for all servers
			}
			client := &http.Client{Transport: bearer{transport}}
			t.Cleanup(client.CloseIdleConnections)
			before := *client
			src := Source[*Widget](Conn{Client: client, BaseURL: server.URL}, widgets)
			_, _, err := collect(src, t, metav1.ListOptions{})
			wantError(t, err, server.URL, other.URL, "Conn.BaseURL", "CheckRedirect")
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error shows the query: %v", err)
			}
			_, err = drain(src, t, metav1.ListOptions{})
			wantError(t, err, other.URL)
			if n := tokens.Load(); n > 0 {
				t.Errorf("the other server got the token %d times", n)
			}
			if client.CheckRedirect != nil || client.Transport != before.Transport {
				t.Error("the caller's http.Client was changed")
			}

			client.CheckRedirect = func(*http.Request, []*http.Request) error { return nil }
			items, _, err := collect(src, t, metav1.ListOptions{})
			if err != nil || names(items) != "a" || tokens.Load() != 1 {
				t.Errorf("with a CheckRedirect: %v, %v, %d tokens", names(items), err, tokens.Load())
			}
		})
	}
}

// Redirects within one server are followed, but not for ever.
func TestRedirectsWithinOneServer(t *testing.T) {
	requests := 0
	conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		requests++
		if loop := strings.HasPrefix(r.URL.Path, "/loop"); loop || !strings.HasPrefix(r.URL.Path, "/v2") {
			to := "/v2" + r.URL.Path
			if loop {
				to = r.URL.Path + "x"
			}
			http.Redirect(w, r, to, http.StatusMovedPermanently)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		send(w, listJSON(widgetJSON("a")))
	})
	if items, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{}); err != nil ||
		len(items) != 1 {
		t.Errorf("%d items, %v", len(items), err)
	}
	conn.BaseURL += "/loop"
	requests = 0
	_, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
	wantError(t, err, "stopped after 10 redirects")
	if requests != 10 {
		t.Errorf("%d requests", requests)
	}
}

func TestCheckRedirect(t *testing.T) {
	for _, test := range []struct{ from, to, refused string }{
		{"https://a/x", "https://a/y", ""},
		{"https://a:8443", "https://A:8443/y", ""},
		{"http://a", "https://a/", "another server"},
		{"http://a:8080", "http://a:8080/y", ""},
		{"http://a:8080", "https://a:8443/", "another server"},
		{"http://a", "http://a:8080", "another server"},
		{"https://a", "http://a", "another server"},
		{"https://a", "https://b.a", "another server"},
		{"https://b.a", "https://a", "another server"},
		{"https://a", "https://a.", "another server"},
		{"http://a", "https://b", "another server"},
		{"https://a", "ftp://a", "another server"},
	} {
		request := func(text string) *http.Request {
			u, err := url.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			return &http.Request{URL: u}
		}
		got := fmt.Sprint(
			checkRedirect(
				request(test.to),
				[]*http.Request{request(test.from), request(test.from + "/on/the/way")},
			),
		)
		if test.refused == "" && got != "<nil>" || !strings.Contains(got, test.refused) {
			t.Errorf("%s to %s: %s, want %q", test.from, test.to, got, test.refused)
		}
	}
}
