// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// front is a proxy in front of the server that a test can have misbehave.
type front struct {
	*httptest.Server
	fault atomic.Pointer[fault]
}

// fault answers a request; next does so as if nothing were wrong.
type fault func(w http.ResponseWriter, r *http.Request, next http.Handler)

// newFront returns a proxy to the server at target.
func newFront(t *testing.T, target string) *front {
	t.Helper()
	f := &front{}
	f.Server = httptest.NewServer(f.handler(t, target))
	t.Cleanup(f.Close)
	return f
}

func (f *front) handler(t *testing.T, target string) http.Handler {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(to) },
		Transport: transport, FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wrong := f.fault.Load(); wrong != nil {
			(*wrong)(w, r, proxy)
			return
		}
		proxy.ServeHTTP(w, r)
	})
}

// show has the front show a fault from now on, also to those whose requests are under
// way, which are cut; nil is none.
func (f *front) show(wrong fault) {
	if wrong == nil {
		f.fault.Store(nil)
	} else {
		f.fault.Store(&wrong)
	}
	f.CloseClientConnections()
}

// answer is the error response of a server or of a proxy in front of it.
func answer(code int, reason metav1.StatusReason, retryAfter int) fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		if retryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
		}
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
			Code: int32(code), Reason: reason, Message: "the front says " + string(reason),
		})
	}
}

func isWatch(r *http.Request) bool { return r.URL.Query().Get("watch") != "" }

// half is the fault of a connection that breaks in the middle of each event.
func half(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if isWatch(r) {
		w = halfWriter{w}
	}
	next.ServeHTTP(w, r)
}

type halfWriter struct{ http.ResponseWriter }

func (w halfWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w halfWriter) Write(p []byte) (int, error) {
	_, _ = w.ResponseWriter.Write(p[:len(p)/2])
	_ = http.NewResponseController(w.ResponseWriter).Flush()
	panic(http.ErrAbortHandler)
}

// slow is the fault of a connection that carries a little at a time.
func slow(w http.ResponseWriter, r *http.Request, next http.Handler) {
	next.ServeHTTP(slowWriter{w}, r)
}

type slowWriter struct{ http.ResponseWriter }

func (w slowWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w slowWriter) Write(p []byte) (n int, err error) {
	const step = 64
	for len(p) > 0 && err == nil {
		var m int
		m, err = w.ResponseWriter.Write(p[:min(step, len(p))])
		if err == nil {
			err = http.NewResponseController(w.ResponseWriter).Flush()
		}
		p, n = p[m:], n+m
		time.Sleep(2 * time.Millisecond) // this is what the fault is
	}
	return n, err
}
