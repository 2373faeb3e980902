// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

const crds = "testdata/crds"

// gadget has the fields of a Gadget that the tests look at, and those of a
// Status.
type gadget struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   objectMeta `json:"metadata"`
	Spec       gadgetSpec `json:"spec,omitzero"`
	Code       int        `json:"code,omitzero"`
	Reason     string     `json:"reason,omitzero"`
	Message    string     `json:"message,omitzero"`
}

type objectMeta struct {
	Name            string `json:"name"`
	UID             string `json:"uid,omitzero"`
	ResourceVersion string `json:"resourceVersion,omitzero"`
}

type gadgetSpec struct {
	Size int `json:"size"`
}

// gadgets is the collection of Gadgets in one namespace, as a client sees it.
type gadgets struct {
	t      *testing.T
	client *http.Client
	url    string
}

// start starts a server with the definitions of the tests, which ends with the
// test.
func start(t *testing.T) *apiserver.Server {
	t.Helper()
	server, err := apiserver.Start(t.Context(), apiserver.Options{CRDs: []string{crds}, Progress: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// at returns the gadgets at one of the addresses of a server.
func at(t *testing.T, e apiserver.Endpoint, url string) gadgets {
	t.Helper()
	client := e.HTTPClient()
	t.Cleanup(client.CloseIdleConnections)
	return gadgets{t, client, url + "/apis/example.dev/v1/namespaces/lab/gadgets"}
}

// do sends a request and returns the response with an open body. Like any client
// it tries again when the server asks for that: a server that has just started
// answers 429 to the first watch of a type whose cache it is still filling.
func (g gadgets) do(ctx context.Context, method, url string, body any) (*http.Response, error) {
	g.t.Helper()
	var content []byte
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			g.t.Fatal(err)
		}
	}
	for {
		req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(content))
		if err != nil {
			g.t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := g.client.Do(req)
		if err != nil || res.StatusCode != http.StatusTooManyRequests {
			return res, err
		}
		res.Body.Close()
		seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
		if err != nil {
			g.t.Fatalf("%s %s: 429 without the time to try again: %v", method, url, err)
		}
		select {
		case <-time.After(time.Duration(seconds) * time.Second):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// send sends a request and returns the status and the object in the answer.
func (g gadgets) send(method, path string, body any) (int, gadget) {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), time.Minute)
	defer cancel()
	res, err := g.do(ctx, method, g.url+path, body)
	if err != nil {
		g.t.Fatal(err)
	}
	defer res.Body.Close()
	var got gadget
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
		g.t.Fatal(err)
	}
	return res.StatusCode, got
}

func (g gadgets) create(name string, size int) gadget {
	g.t.Helper()
	code, got := g.send(http.MethodPost, "", gadget{
		APIVersion: "example.dev/v1", Kind: "Gadget",
		Metadata: objectMeta{Name: name}, Spec: gadgetSpec{Size: size},
	})
	if code != http.StatusCreated {
		g.t.Fatalf("creating %s: %d %s", name, code, got.Message)
	}
	return got
}

// get returns an object, which must exist.
func (g gadgets) get(name string) gadget {
	g.t.Helper()
	code, got := g.send(http.MethodGet, "/"+name, nil)
	if code != http.StatusOK {
		g.t.Fatalf("getting %s: %d %s", name, code, got.Message)
	}
	return got
}

// watch is an open watch.
type watch struct {
	t       *testing.T
	res     *http.Response
	decoder *json.Decoder
}

// watch opens a watch from a resource version. Its responses have arrived when
// it returns, so the server sends what changes after that.
func (g gadgets) watch(resourceVersion string) watch {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), 2*time.Minute)
	g.t.Cleanup(cancel)
	res, err := g.do(ctx, http.MethodGet, fmt.Sprintf("%s?watch=true&resourceVersion=%s", g.url, resourceVersion), nil)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { res.Body.Close() })
	return watch{g.t, res, json.NewDecoder(res.Body)}
}

// next waits for an event.
func (w watch) next() (eventType string, object gadget, err error) {
	var event struct {
		Type   string
		Object gadget
	}
	err = w.decoder.Decode(&event)
	return event.Type, event.Object, err
}

// expect waits for an event about an object.
func (w watch) expect(eventType, name string) {
	w.t.Helper()
	gotType, got, err := w.next()
	if err != nil {
		w.t.Fatalf("waiting for %s %s: %v", eventType, name, err)
	}
	if gotType != eventType || got.Metadata.Name != name {
		w.t.Fatalf("got event %s %s (%s), want %s %s", gotType, got.Metadata.Name, got.Message, eventType, name)
	}
}

// getJSON reads the answer to a GET request.
func getJSON(t *testing.T, server *apiserver.Server, path, accept string, into any) {
	t.Helper()
	client := server.HTTPClient()
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		t.Fatalf("%s as %s: %s: %v", path, accept, res.Status, err)
	}
}
