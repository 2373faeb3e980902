// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// stranger is another host, the target of redirects. It returns an empty list and records the clients
// of its requests.
type stranger struct {
	url     string
	server  *http.Server
	serving sync.WaitGroup

	mu     sync.Mutex
	asked  map[string]int // requests by User-Agent
	tokens map[string]int // of these, those with a bearer token
}

func newStranger() (*stranger, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, err
	}
	s := &stranger{url: "http://localhost:" + port, asked: make(map[string]int), tokens: make(map[string]int)}
	s.server = &http.Server{Handler: s}
	s.serving.Go(func() {
		// Serve ends with an error when the server is closed, and in no other way.
		_ = s.server.Serve(l)
	})
	return s, nil
}

// ServeHTTP answers with an empty list.
func (s *stranger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.UserAgent()]++
	if strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
		s.tokens[r.UserAgent()]++
	}
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	// A failure to write means that the client has gone.
	_, _ = io.WriteString(w, `{"kind":"DeviceList","apiVersion":"fleet.example.com/v1alpha1",`+
		`"metadata":{"resourceVersion":"1"},"items":[]}`)
}

// take returns how many requests a client has made since take was last called,
// and with how many it sent its token.
func (s *stranger) take(userAgent string) (asked, tokens int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked, tokens = s.asked[userAgent], s.tokens[userAgent]
	delete(s.asked, userAgent)
	delete(s.tokens, userAgent)
	return asked, tokens
}

func (s *stranger) close() {
	s.server.Close()
	s.serving.Wait()
}
