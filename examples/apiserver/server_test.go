// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

func TestServes(t *testing.T) {
	server := start(t)
	for _, c := range []struct {
		name, url string
		protocol  int
	}{
		{"HTTP/2 with TLS", server.URL, 2},
		{"HTTP/1.1 in plain text", server.PlainURL, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			gs := at(t, server.Endpoint, c.url)
			w := gs.watch("")
			if w.res.ProtoMajor != c.protocol {
				t.Errorf("the watch speaks %s", w.res.Proto)
			}
			// Each event must arrive while the stream is open and silent.
			name := "g" + strconv.Itoa(c.protocol)
			for i := range 3 {
				created := gs.create(name+strconv.Itoa(i), 7)
				w.expect("ADDED", created.Metadata.Name)
				if got := gs.get(created.Metadata.Name); got != created {
					t.Errorf("got %v, want %v", got, created)
				}
				gs.send(http.MethodDelete, "/"+created.Metadata.Name, nil)
				w.expect("DELETED", created.Metadata.Name)
			}
			code, answer := gs.send(http.MethodPost, "", gadget{
				APIVersion: "example.dev/v1", Kind: "Gadget",
				Metadata: objectMeta{Name: "wrong"}, Spec: gadgetSpec{Size: -1},
			})
			if code != http.StatusUnprocessableEntity {
				t.Errorf("an object against the schema: %d %s", code, answer.Message)
			}
		})
	}
}

func TestWantsToken(t *testing.T) {
	server := start(t)
	stranger := server.Endpoint
	stranger.Token = "a guess"
	for _, url := range []string{server.URL, server.PlainURL} {
		code, answer := at(t, stranger, url).send(http.MethodGet, "", nil)
		if code != http.StatusUnauthorized || answer.Reason != "Unauthorized" {
			t.Errorf("at %s: %d %s", url, code, answer.Message)
		}
	}
}

func TestRestartKeepsDataAndAddress(t *testing.T) {
	server := start(t)
	before := server.Endpoint
	gs := at(t, server.Endpoint, server.URL)
	first := gs.create("first", 1)
	second := gs.create("second", 2)
	w := gs.watch(second.Metadata.ResourceVersion)

	if err := server.RestartServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	if eventType, _, err := w.next(); !errors.Is(err, io.EOF) {
		t.Errorf("the watch over the restart: event %q, error %v, want a clean end", eventType, err)
	}
	if server.URL != before.URL || server.PlainURL != before.PlainURL || server.Token != before.Token {
		t.Errorf("the endpoint moved from %v to %v", before, server.Endpoint)
	}
	if got := gs.get("first"); got != first {
		t.Errorf("got %v, want %v", got, first)
	}
	w = gs.watch(first.Metadata.ResourceVersion)
	if eventType, answer, err := w.next(); err != nil || eventType != "ERROR" || answer.Code != http.StatusGone {
		t.Errorf("a watch from before the restart: %s, event %q, code %d, error %v, want 410", w.res.Status, eventType, answer.Code, err)
	}
	w = gs.watch(second.Metadata.ResourceVersion)
	gs.create("third", 3)
	w.expect("ADDED", "third")
}

func TestDowntime(t *testing.T) {
	server := start(t)
	gs := at(t, server.Endpoint, server.URL)
	gs.create("first", 1)
	for range 2 { // to stop twice is to stop once
		if err := server.StopServer(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	code, answer := gs.send(http.MethodGet, "/first", nil)
	if code != http.StatusServiceUnavailable || answer.Kind != "Status" || answer.Reason != "ServiceUnavailable" {
		t.Errorf("while the server is stopped: %d %v", code, answer)
	}
	for range 2 {
		if err := server.StartServer(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	gs.get("first")
}

func TestCutAndRefuse(t *testing.T) {
	server := start(t)
	ctx := t.Context()
	for _, url := range []string{server.URL, server.PlainURL} {
		gs := at(t, server.Endpoint, url)
		w := gs.watch("")
		cut, err := server.CutConnections(ctx)
		if err != nil || cut == 0 {
			t.Fatalf("cut %d connections, error %v", cut, err)
		}
		if _, _, err := w.next(); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("the watch after the cut: %v, want an abrupt end", err)
		}
		gs.send(http.MethodGet, "", nil)

		if err := server.RefuseConnections(ctx, true); err != nil {
			t.Fatal(err)
		}
		if _, err := server.CutConnections(ctx); err != nil {
			t.Fatal(err)
		}
		if res, err := gs.do(ctx, http.MethodGet, gs.url, nil); err == nil {
			res.Body.Close()
			t.Errorf("a request while connections are refused: %s", res.Status)
		}
		if err := server.RefuseConnections(ctx, false); err != nil {
			t.Fatal(err)
		}
		gs.send(http.MethodGet, "", nil)
	}
}

func TestRestoredDataGoBackward(t *testing.T) {
	server := start(t)
	gs := at(t, server.Endpoint, server.URL)
	if err := server.RestoreData(t.Context()); err == nil || !strings.Contains(err.Error(), "SaveData") {
		t.Errorf("restoring what was not saved: %v", err)
	}
	kept := gs.create("kept", 1)
	if err := server.SaveData(t.Context()); err != nil {
		t.Fatal(err)
	}
	var last gadget
	for i := range 5 {
		last = gs.create("lost-"+strconv.Itoa(i), 1)
	}
	if err := server.RestoreData(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := gs.get("kept"); got != kept {
		t.Errorf("got %v, want %v", got, kept)
	}
	if code, _ := gs.send(http.MethodGet, "/lost-0", nil); code != http.StatusNotFound {
		t.Errorf("an object from after the backup: %d", code)
	}
	again := gs.create("again", 1)
	if version(t, again) > version(t, last) {
		t.Errorf("resource version %s after the restore, %s before", again.Metadata.ResourceVersion, last.Metadata.ResourceVersion)
	}
}

func version(t *testing.T, g gadget) uint64 {
	t.Helper()
	v, err := strconv.ParseUint(g.Metadata.ResourceVersion, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server, err := apiserver.Start(ctx, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-server.Done()
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if err := server.StopServer(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("stopping a server that has ended: %v", err)
	}
}

func TestStartSaysWhatIsWrong(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		options apiserver.Options
		want    string
	}{
		{"unknown flag", t.Context(), apiserver.Options{Flags: []string{"--no-such-flag"}}, "no-such-flag"},
		{"unknown gate", t.Context(), apiserver.Options{Flags: []string{"--feature-gates=NoSuchGate=true"}}, "NoSuchGate"},
		{"no manifests", t.Context(), apiserver.Options{CRDs: []string{t.TempDir()}}, "generate them first"},
		{"no file", t.Context(), apiserver.Options{CRDs: []string{"testdata/none.yaml"}}, "none.yaml"},
		{"no binary", t.Context(), apiserver.Options{Binary: "testdata/none"}, "none"},
		{"canceled", canceled, apiserver.Options{}, context.Canceled.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, err := apiserver.Start(c.ctx, c.options)
			if err == nil {
				server.Close()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q says nothing of %q", err, c.want)
			}
		})
	}
}

func TestApplyRefusesOtherManifests(t *testing.T) {
	server := start(t)
	for _, c := range []struct{ manifest, want string }{
		{"kind: ConfigMap\nmetadata: {name: x}", "ConfigMap"},
		{"kind: [", "parsing YAML"},
		{"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x.example.dev}\nspec: {group: example.dev}", "x.example.dev"},
	} {
		if err := server.ApplyCRDBytes(t.Context(), []byte(c.manifest)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("applying %q: %v, want something of %q", c.manifest, err, c.want)
		}
	}
	// Applying unchanged definitions again changes nothing.
	if err := server.ApplyCRDs(t.Context(), crds); err != nil {
		t.Error(err)
	}
}

func TestMain(m *testing.M) {
	if runAsParent() {
		return
	}
	goleak.VerifyTestMain(m)
}
