// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"net/http"
	"testing"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// TestInflict checks that a client suffers, by its User-Agent, and recovers.
// TestAnswers of package proxy and those beside it check what each fault does.
func TestInflict(t *testing.T) {
	server := start(t)
	gs := at(t, server.Endpoint, server.URL)
	gs.create("first", 1)
	for _, c := range []struct {
		fault apiserver.FaultKind
		code  int
	}{
		{apiserver.InternalError, http.StatusInternalServerError},
		{apiserver.NoFault, http.StatusOK},
	} {
		if err := server.Inflict(t.Context(), apiserver.Fault{Kind: c.fault}, "Go-http-client/2.0"); err != nil {
			t.Fatal(err)
		}
		if code, _ := gs.send(http.MethodGet, "/first", nil); code != c.code {
			t.Errorf("the fault %q answers %d, want %d", c.fault, code, c.code)
		}
	}
}

// TestCompaction checks that earlier versions can be read before, and not after.
func TestCompaction(t *testing.T) {
	server := start(t)
	gs := at(t, server.Endpoint, server.URL)
	old := gs.create("first", 1).Metadata.ResourceVersion
	gs.create("second", 2)
	query := "?resourceVersionMatch=Exact&resourceVersion=" + old
	if code, answer := gs.send(http.MethodGet, query, nil); code != http.StatusOK {
		t.Errorf("before compaction: %d %s", code, answer.Message)
	}
	if err := server.CompactData(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The watch cache would still have the version.
	if err := server.RestartServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	if code, answer := gs.send(http.MethodGet, query, nil); code != http.StatusGone {
		t.Errorf("after compaction: %d %s", code, answer.Message)
	}
}
