// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/discovery"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

var things = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "things"}

const (
	thing = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",` +
		`"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"5"}}`
	deleted    = `{"type":"DELETED","object":` + thing + "}\n"
	initialEnd = `{"type":"BOOKMARK","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",` +
		`"metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}}}` + "\n"
	notFound = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`
)

// reply is an answer of a server.
type reply struct {
	name, body string
	code       int // 0: the connection breaks, without an answer or after the body
}

func inDiscovery(group, freshness, resources string) string {
	return fmt.Sprintf(`{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":%q},"versions":[{"version":"v1",`+
		`"freshness":%q,"resources":[%s]}]}]}`, group, freshness, resources)
}

// refusals are answers that say nothing of a type, be it to a list or to discovery.
var refusals = []reply{
	{"301", "", 301}, {"403", "", 403}, {"429", "", 429}, {"500", "", 500}, {"503", "", 503}, {"cut", `{"kind":`, 0},
	{"none", "", 0},
}

// The answers to lists and watches, and to discovery. A body that is "list" stands for a list with one object, and
// "empty" for one without.
var (
	toList = append([]reply{
		{"200", "list", 200}, {"empty list", "empty", 200},
		{"404 Status", notFound, 404}, {"404 text", "404 page not found", 404}, {"404 HTML", "<html></html>", 404},
	}, refusals...)
	toDiscovery = append([]reply{
		{"served", inDiscovery("example.com", "Current", `{"resource":"things","scope":"Namespaced"}`), 200},
		{"absent", inDiscovery("example.com", "Current", `{"resource":"others"}`), 200},
		{"no group", inDiscovery("other.example.com", "Current", `{"resource":"others"}`), 200},
		{"stale", inDiscovery("example.com", "Stale", ""), 200},
		{"no resources", inDiscovery("example.com", "Current", ""), 200},
		{"404 Status", notFound, 404}, {"404 text", "404 page not found", 404}, {"HTML", "<html></html>", 200},
	}, refusals...)
)

// fickle is a server that answers all requests of a kind alike, until that changes.
type fickle struct {
	mu               sync.Mutex
	lists, discovery reply
	watches          []*io.PipeWriter
}

func (s *fickle) change(lists, discovery reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists, s.discovery = lists, discovery
	for _, w := range s.watches {
		w.CloseWithError(io.ErrUnexpectedEOF)
	}
	s.watches = nil
}

func (s *fickle) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := s.lists
	if r.URL.Path == "/apis" {
		answer = s.discovery
	}
	if answer == refusals[len(refusals)-1] {
		return nil, errors.New("refused")
	}
	header := http.Header{"Content-Type": {"application/json"}, "Location": {"https://elsewhere.invalid"}}
	if answer.code == 404 && strings.HasPrefix(answer.body, "<") {
		header.Set("Content-Type", "text/html")
	}
	return &http.Response{
		StatusCode: max(answer.code, http.StatusOK), Status: fmt.Sprint(answer.code), Header: header, Request: r,
		Body: s.body(answer, r),
	}, nil
}

func (s *fickle) body(answer reply, r *http.Request) io.ReadCloser {
	items := map[string]string{"list": thing, "empty": ""}
	item, ok := items[answer.body]
	switch query := r.URL.Query(); {
	case !ok && answer.code == 0:
		return io.NopCloser(io.MultiReader(strings.NewReader(answer.body), broken{}))
	case !ok:
		return io.NopCloser(strings.NewReader(answer.body))
	case query.Get("watch") == "":
		return io.NopCloser(strings.NewReader(
			`{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"items":[` + item + `]}`))
	default:
		body, w := io.Pipe()
		s.watches = append(s.watches, w)
		context.AfterFunc(r.Context(), func() { w.CloseWithError(context.Cause(r.Context())) })
		events := deleted
		if item != "" {
			events = `{"type":"ADDED","object":` + item + "}\n"
		}
		if query.Get("sendInitialEvents") == "true" {
			events = strings.TrimPrefix(events, deleted) + initialEnd
		}
		go func() { _, _ = io.WriteString(w, events) }()
		return body
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Random answers to lists, watches and discovery move an informer between its states as the tables of packages
// informer and discovery say.
func TestRandomAnswers(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	synctest.Test(t, func(t *testing.T) {
		s := &fickle{lists: refusals[0], discovery: refusals[0]}
		conn := wire.Conn{Client: &http.Client{Transport: s}, BaseURL: "https://server"}
		conn = conn.With(wire.MayBeAbsent(discovery.New(conn.Client, conn.BaseURL, "")))
		type object = *metav1.PartialObjectMetadata
		inf := informer.New(things, wire.Source[object](conn, things), store.ForObjects[object]())
		ended := make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		defer func() { cancel(); <-ended }()
		go func() { ended <- inf.Run(ctx) }()
		var absent, synced, present bool
		objects := 0
		lists, discovery := refusals[0], refusals[0]
		for round := range 800 {
			// One changes at a time: the informer may ask discovery some time after the list that was not found.
			usual := random.IntN(2) == 0
			switch listed := random.IntN(2) == 0; {
			case listed && usual:
				lists = toList[random.IntN(5)]
			case listed:
				lists = toList[random.IntN(len(toList))]
			case usual:
				discovery = toDiscovery[random.IntN(3)]
			default:
				discovery = toDiscovery[random.IntN(len(toDiscovery))]
			}
			s.change(lists, discovery)
			time.Sleep(5 * time.Minute) // longer than any backoff
			synctest.Wait()
			if absent = absent && discovery.name != "served"; !absent {
				switch {
				case lists.code == 200:
					synced, present, objects = true, true, strings.Count(lists.body, "list")
				case lists.code == 404 && (discovery.name == "absent" || discovery.name == "no group"):
					synced, present, objects, absent = true, false, 0, true
				}
			}
			now, _ := inf.Present()
			if inf.HasSynced() != synced || now != present || inf.Store().Reader().Len() != objects {
				t.Fatalf("round %d, lists get %s, discovery %s: synced %v, present %v, %d objects; want %v, %v, %d",
					round, lists.name, discovery.name, inf.HasSynced(), now, inf.Store().Reader().Len(), synced, present, objects)
			}
		}
	})
}
