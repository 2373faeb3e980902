// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package proxy_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/proxy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// token is what the client sends, and the backend must get.
const token = "secret"

// start starts a proxy, and returns its two addresses and a client for both.
func start(t *testing.T) (p *proxy.Proxy, urls []string, client *http.Client) {
	t.Helper()
	p, err := proxy.Start()
	if err != nil {
		t.Fatal(err)
	}
	e := apiserver.Endpoint{URL: p.URL(), PlainURL: p.PlainURL(), Token: token, CA: p.CA()}
	client = e.HTTPClient()
	t.Cleanup(func() {
		client.CloseIdleConnections()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, []string{e.URL, e.PlainURL}, client
}

// serve starts a backend.
func serve(t *testing.T, h http.HandlerFunc) *proxy.Backend {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			t.Errorf("the backend got %q", r.Header.Get("Authorization"))
		}
		h(w, r)
	}))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &proxy.Backend{URL: u, Transport: transport}
}

func open(t *testing.T, client *http.Client, url string) (*http.Response, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return client.Do(req)
}

func mustOpen(t *testing.T, client *http.Client, url string) *http.Response {
	t.Helper()
	res, err := open(t, client, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

func TestBackends(t *testing.T) {
	p, urls, client := start(t)
	answer := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, text+r.URL.RequestURI()) }
	}
	first, second := serve(t, answer("first ")), serve(t, answer("second "))
	gone := serve(t, nil)
	gone.URL.Host = "127.0.0.1:1" // nothing listens there
	aborting := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	for _, c := range []struct {
		backend *proxy.Backend
		code    int
		body    string // contained in the answer
	}{
		{nil, http.StatusServiceUnavailable, "is stopped"},
		{first, http.StatusOK, "first /a?b=c%2Fd"},
		{second, http.StatusOK, "second /a?b=c%2Fd"},
		{gone, http.StatusServiceUnavailable, "cannot be reached: dial tcp 127.0.0.1:1"},
		{aborting, http.StatusServiceUnavailable, "aborted the request without a response: EOF"},
		{nil, http.StatusServiceUnavailable, "is stopped"},
	} {
		p.SetBackend(c.backend)
		for _, u := range urls {
			res := mustOpen(t, client, u+"/a?b=c%2Fd")
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != c.code || !strings.Contains(string(body), c.body) {
				t.Errorf("got %s %q, want %d %q", res.Status, body, c.code, c.body)
			}
		}
	}
}

// TestStreams checks that headers and then each line arrive while the backend
// is silent: it goes on only when the client has seen what came before.
func TestStreams(t *testing.T) {
	p, urls, client := start(t)
	for _, u := range urls {
		seen := make(chan struct{})
		p.SetBackend(serve(t, func(w http.ResponseWriter, r *http.Request) {
			flush := http.NewResponseController(w).Flush
			wait := func() {
				if err := flush(); err != nil {
					t.Error(err)
				}
				select {
				case <-seen:
				case <-r.Context().Done():
				}
			}
			wait()
			for range 3 {
				io.WriteString(w, "line\n")
				wait()
			}
		}))
		res := mustOpen(t, client, u)
		seen <- struct{}{}
		lines := bufio.NewReader(res.Body)
		for range 3 {
			if line, err := lines.ReadString('\n'); line != "line\n" || err != nil {
				t.Fatalf("got %q, %v", line, err)
			}
			seen <- struct{}{}
		}
		if _, err := lines.ReadString('\n'); !errors.Is(err, io.EOF) {
			t.Errorf("the stream ends with %v", err)
		}
	}
}

// TestFailures checks that a stream does not seem to end well when the
// connection to the client or that to the backend breaks, and that the backend
// hears of clients that go.
func TestFailures(t *testing.T) {
	p, urls, client := start(t)
	for _, u := range urls {
		abort, left := make(chan struct{}), make(chan struct{}, 1)
		p.SetBackend(serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.NewResponseController(w).Flush()
			select {
			case <-abort:
				panic(http.ErrAbortHandler)
			case <-r.Context().Done():
				left <- struct{}{}
			}
		}))
		ends := func(res *http.Response) {
			t.Helper()
			if _, err := res.Body.Read(make([]byte, 1)); err == nil || errors.Is(err, io.EOF) {
				t.Errorf("the stream ends with %v", err)
			}
		}
		res := mustOpen(t, client, u)
		if n := p.Cut(); n == 0 {
			t.Error("cut no connection")
		}
		ends(res)
		<-left

		res = mustOpen(t, client, u)
		abort <- struct{}{}
		ends(res)

		res = mustOpen(t, client, u)
		res.Body.Close()
		<-left

		res = mustOpen(t, client, u)
		p.Refuse(true)
		p.Cut()
		ends(res)
		<-left
		if res, err := open(t, client, u); err == nil {
			res.Body.Close()
			t.Error("a new connection is not refused")
		}
		p.Refuse(false)
		res = mustOpen(t, client, u)
		res.Body.Close()
		<-left
	}
}
