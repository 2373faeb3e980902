// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/control"
)

// The tests of package apiserver cover the server. Only its start and its end are tested here.

func TestLife(t *testing.T) {
	ctx := t.Context()
	dir, err := os.MkdirTemp("", "life-") // short, for the socket in it
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	server, err := startAPIServer(ctx, control.StartArgs{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := server.ApplyCRDs(ctx, "../../testdata/crds"); err != nil {
		t.Fatal(err)
	}
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
	<-server.Done()
	if err := server.StartServer(ctx); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("starting a closed server: %v", err)
	}
	if _, err := client.Get(gizmos); err == nil {
		t.Error("a closed server answers")
	}

	// The data outlive the server.
	again, err := startAPIServer(ctx, control.StartArgs{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	client = again.HTTPClient()
	defer client.CloseIdleConnections()
	expect(t, client, http.MethodGet, again.URL+"/apis/example.dev/v1/gizmos/one", "", http.StatusOK)
}

func TestLongDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	server, err := startAPIServer(t.Context(), control.StartArgs{Dir: dir})
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
