// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package inprocess_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/inprocess"
)

const crds = "../testdata/crds"

// The tests of package apiserver cover the server. Only its start and its end
// are tested here.

func TestLife(t *testing.T) {
	ctx := t.Context()
	dir, err := os.MkdirTemp("", "life-") // short, for the socket in it
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	server, err := inprocess.Start(ctx, inprocess.Options{CRDs: []string{crds}, Dir: dir, Log: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client := server.HTTPClient()
	defer client.CloseIdleConnections()
	gizmos := server.URL + "/apis/example.dev/v1/gizmos"
	body := `{"apiVersion": "example.dev/v1", "kind": "Gizmo", "metadata": {"name": "one"}}`
	expect(t, client, http.MethodPost, gizmos, body, http.StatusCreated)
	if err := server.RestartServer(ctx); err != nil {
		t.Fatal(err)
	}
	expect(t, client, http.MethodGet, gizmos+"/one", "", http.StatusOK)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if err := server.StartServer(ctx); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("starting a closed server: %v", err)
	}
	if _, err := client.Get(gizmos); err == nil {
		t.Error("a closed server answers")
	}

	// The data outlive the server in a directory of one's own.
	again, err := inprocess.Start(ctx, inprocess.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	client = again.HTTPClient()
	defer client.CloseIdleConnections()
	expect(t, client, http.MethodGet, again.URL+"/apis/example.dev/v1/gizmos/one", "", http.StatusOK)
}

func TestTwoServers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var servers [2]*inprocess.Server
	for i := range servers {
		var err error
		if servers[i], err = inprocess.Start(ctx, inprocess.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := servers[0].ApplyCRDs(ctx, crds); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{http.StatusOK, http.StatusNotFound} {
		client := servers[i].HTTPClient()
		defer client.CloseIdleConnections()
		expect(t, client, http.MethodGet, servers[i].URL+"/apis/example.dev/v1/gizmos", "", want)
	}
	cancel()
	for _, server := range servers {
		<-server.Done()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestLongDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	server, err := inprocess.Start(t.Context(), inprocess.Options{Dir: dir})
	if err == nil {
		server.Close()
		t.Fatal("no error")
	}
	if !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("error %q names no way out", err)
	}
}

func expect(t *testing.T, client *http.Client, method, url, body string, want int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != want {
		content, _ := io.ReadAll(res.Body)
		t.Fatalf("%s %s: %s %s, want %d", method, url, res.Status, content, want)
	}
}
