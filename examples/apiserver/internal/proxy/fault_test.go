// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package proxy_test

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/proxy"
)

// ill is the User-Agent of the client that suffers in these tests.
const ill = "ill"

// agent is a transport that sends a User-Agent, and accepts gzip if asked to.
type agent struct {
	next http.RoundTripper
	name string
	gzip bool
}

func (a agent) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", a.name)
	r.Header.Set("Accept-Encoding", "identity")
	if a.gzip {
		r.Header.Set("Accept-Encoding", "gzip")
	}
	return a.next.RoundTrip(r)
}

// withAgent returns client with a User-Agent.
func withAgent(client *http.Client, name string, gzip bool) *http.Client {
	return &http.Client{
		Transport:     agent{client.Transport, name, gzip},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// TestAnswers checks the faults that answer in place of the server.
func TestAnswers(t *testing.T) {
	p, urls, client := start(t)
	p.SetBackend(serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "sound") }))
	for _, c := range []struct {
		kind          apiserver.FaultKind
		code          int
		header, value string
		body          string
	}{
		{apiserver.Unauthorized, 401, "Content-Type", "application/json", `"reason":"Unauthorized"`},
		{apiserver.Throttled, 429, "Retry-After", "1", `"reason":"TooManyRequests"`},
		{apiserver.InternalError, 500, "Content-Type", "application/json", `"reason":"InternalError"`},
		{apiserver.HTML, 200, "Content-Type", "text/html", "<html>"},
		{apiserver.Redirect, 307, "Location", "http://elsewhere.example/a?b=c", ""},
		{apiserver.NoFault, 200, "Content-Type", "text/plain; charset=utf-8", "sound"},
	} {
		p.Inflict(apiserver.Fault{Kind: c.kind, URL: "http://elsewhere.example"}, ill)
		for _, u := range urls {
			res := mustOpen(t, withAgent(client, ill, false), u+"/a?b=c")
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			value := res.Header.Get(c.header)
			if res.StatusCode != c.code || value != c.value || !strings.Contains(string(body), c.body) {
				t.Errorf("%s: %s, %s %q, %q", c.kind, res.Status, c.header, value, body)
			}
			res = mustOpen(t, withAgent(client, "well", false), u)
			if body, _ := io.ReadAll(res.Body); string(body) != "sound" {
				t.Errorf("%s: another client gets %s, %q", c.kind, res.Status, body)
			}
		}
	}
}

// TestBroken checks how responses break that begin during a fault, and those
// that are under way when it begins.
func TestBroken(t *testing.T) {
	p, urls, client := start(t)
	const text = "one line of text\n"
	p.SetBackend(serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, text)
		http.NewResponseController(w).Flush()
		if r.URL.Path == "/watch" {
			<-r.Context().Done()
		}
	}))
	for _, c := range []struct {
		kind apiserver.FaultKind
		gzip bool
		ends bool   // a response under way ends as if it were complete
		got  string // of a new response; "" if it does not even begin
	}{
		{apiserver.Cut, false, false, ""},
		{apiserver.HalfClose, false, false, text[:len(text)/2]},
		{apiserver.TruncatedGzip, false, true, text[:len(text)/2]},
		{apiserver.TruncatedGzip, true, true, text[:len(text)/2]},
	} {
		for _, u := range urls {
			client := withAgent(client, ill, c.gzip)
			p.Inflict(apiserver.Fault{}, ill)
			res := mustOpen(t, client, u+"/watch")
			if _, err := io.ReadFull(res.Body, make([]byte, len(text))); err != nil {
				t.Fatal(err)
			}
			p.Inflict(apiserver.Fault{Kind: c.kind}, ill)
			if _, err := res.Body.Read(make([]byte, 1)); err == nil || errors.Is(err, io.EOF) != c.ends {
				t.Errorf("%s: the response under way ends with %v", c.kind, err)
			}
			got, err := readAll(t, client, u+"/list")
			// HTTP/2 may lose data that it has not written to the connection yet.
			whole := got == c.got || c.kind == apiserver.HalfClose && strings.HasPrefix(c.got, got)
			if !whole || err == nil {
				t.Errorf("%s: a new response is %q, %v", c.kind, got, err)
			}
		}
	}
}

// readAll reads an answer, and inflates it if it is compressed.
func readAll(t *testing.T, client *http.Client, url string) (string, error) {
	res, err := open(t, client, url)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var body io.Reader = res.Body
	if res.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(body); err != nil {
			return "", err
		}
	}
	got, err := io.ReadAll(body)
	return string(got), err
}

// TestSlow checks that a stall and a trickle lose nothing.
func TestSlow(t *testing.T) {
	p, urls, client := start(t)
	client = withAgent(client, ill, false)
	text := strings.Repeat("some text ", 100)
	arrived := make(chan struct{}, 1)
	proceed := make(chan struct{})
	p.SetBackend(serve(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		http.NewResponseController(w).Flush()
		<-proceed
		io.WriteString(w, text)
	}))
	for _, u := range urls {
		for _, kind := range []apiserver.FaultKind{apiserver.Stall, apiserver.Trickle} {
			res := mustOpen(t, client, u)
			<-arrived
			p.Inflict(apiserver.Fault{Kind: kind}, ill)
			proceed <- struct{}{}
			first := make(chan string)
			go func() {
				some := make([]byte, len(text))
				n, _ := res.Body.Read(some)
				first <- string(some[:n])
			}()
			if kind == apiserver.Stall {
				checkHeld(t, p, client, u, arrived, proceed, text)
			}
			got := <-first
			p.Inflict(apiserver.Fault{}, ill)
			rest, err := io.ReadAll(res.Body)
			if got+string(rest) != text || err != nil {
				t.Errorf("%s: got %q, %q, %v", kind, got, rest, err)
			}
			if kind == apiserver.Trickle && len(got) > 200 {
				t.Errorf("a trickle delivers %d bytes at once", len(got))
			}
		}
	}
}

// TestRenewed checks that slow faults can end requests that are being served.
func TestRenewed(t *testing.T) {
	p, urls, client := start(t)
	client = withAgent(client, ill, false)
	p.SetBackend(serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	for _, u := range urls {
		for _, kind := range []apiserver.FaultKind{apiserver.Stall, apiserver.Trickle} {
			res := mustOpen(t, client, u)
			p.Inflict(apiserver.Fault{Kind: kind, Renew: true}, ill)
			if got, err := io.ReadAll(res.Body); len(got) > 0 || err != nil {
				t.Errorf("%s: the response under way ends with %q, %v", kind, got, err)
			}
			p.Inflict(apiserver.Fault{}, ill)
		}
	}
}

// checkHeld checks that a stall keeps a new request from the backend, and ends it.
func checkHeld(
	t *testing.T, p *proxy.Proxy, client *http.Client, url string, arrived, proceed chan struct{}, want string,
) {
	t.Helper()
	answered := make(chan string)
	go func() {
		res, err := open(t, client, url)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		answered <- string(body)
	}()
	select {
	case <-arrived:
		t.Error("a request passes a stall")
	case got := <-answered:
		t.Errorf("a request is answered during a stall: %q", got)
	case <-time.After(100 * time.Millisecond): // long enough for a request that is not held
	}
	p.Inflict(apiserver.Fault{}, ill)
	<-arrived
	proceed <- struct{}{}
	if got := <-answered; got != want {
		t.Errorf("after a stall a request gets %q", got)
	}
}
