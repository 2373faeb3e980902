// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package discovery

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var widgets = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}

// The answers of servers.
const (
	served     = `{"resource":"widgets","responseKind":{"kind":"Widget"},"scope":"Namespaced"}`
	other      = `{"resource":"others","responseKind":{"kind":"Other"},"scope":"Cluster"}`
	listed     = `{"kind":"APIGroupList","groups":[{"name":"example.com","versions":[{"version":"v1"}]}]}`
	unlisted   = `{"kind":"APIGroupList","groups":[{"name":"example.com","versions":[{"version":"v2"}]},{"name":"x","versions":[{"version":"v1"}]}]}`
	noGroups   = `{"kind":"APIGroupList","groups":[]}`
	inVersion  = `{"kind":"APIResourceList","groupVersion":"example.com/v1","resources":[{"name":"widgets","kind":"Widget"}]}`
	notIn      = `{"kind":"APIResourceList","groupVersion":"example.com/v1","resources":[{"name":"others","kind":"Other"}]}`
	inAnother  = `{"kind":"APIResourceList","groupVersion":"example.com/v2","resources":[{"name":"others","kind":"Other"}]}`
	noneIn     = `{"kind":"APIResourceList","groupVersion":"example.com/v1","resources":[]}`
	statusBody = `{"kind":"Status","status":"Failure","code":404}`
	webPage    = "<html>Sign in</html>"
)

func aggregated(group, version, freshness string, resources ...string) string {
	return fmt.Sprintf(`{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"x"},"versions":[{"version":"v1",`+
		`"resources":[%s]}]},{"metadata":{"name":%q},"versions":[{"version":%q,"freshness":%q,"resources":[%s]}]}]}`,
		other, group, version, freshness, strings.Join(resources, ","))
}

type answer struct {
	code int
	body string
	err  error
	cut  bool
}

// answers is a server that answers /apis with groups and others with version.
type answers struct {
	mu              sync.Mutex
	groups, version answer
	etag            string
	requests        int
	conditional     int
	stalls          bool
}

func (s *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if s.stalls {
		<-r.Context().Done()
		return nil, context.Cause(r.Context())
	}
	a := s.groups
	if r.URL.Path != "/root/apis" {
		a = s.version
	}
	if a.err != nil {
		return nil, a.err
	}
	header := http.Header{}
	if s.etag != "" {
		if header.Set("Etag", s.etag); r.Header.Get("If-None-Match") == s.etag {
			s.conditional++
			a = answer{code: http.StatusNotModified}
		}
	}
	if a.code == http.StatusMovedPermanently {
		header.Set("Location", "https://elsewhere.invalid/apis")
	}
	var body io.Reader = strings.NewReader(a.body)
	if a.cut {
		body = io.MultiReader(body, failing{})
	}
	return &http.Response{StatusCode: a.code, Status: fmt.Sprint(a.code), Header: header, Body: io.NopCloser(body), Request: r}, nil
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func ok(body string) answer { return answer{code: 200, body: body} }

// The table in doc.go, one test for each answer.
func TestTable(t *testing.T) {
	is, isNot := "served", "absent"
	for _, test := range []struct {
		name            string
		groups, version answer
		want            string // a part of the error, unless served or absent
	}{
		{"no answer", answer{err: errors.New("refused")}, answer{}, "refused"},
		{"cut", answer{code: 200, body: unlisted, cut: true}, answer{}, "unexpected EOF"},
		{"cut without an error", ok(unlisted[:60]), answer{}, "unexpected end"},
		{"301", answer{code: 301}, answer{}, "301"},
		{"304 without a condition", answer{code: 304}, answer{}, "304"},
		{"403", answer{code: 403, body: unlisted}, answer{}, "403"},
		{"404", answer{code: 404, body: statusBody}, answer{}, "404"},
		{"404 text", answer{code: 404, body: "404 page not found"}, answer{}, "404"},
		{"429", answer{code: 429}, answer{}, "429"},
		{"500", answer{code: 500}, answer{}, "500"},
		{"503", answer{code: 503, body: unlisted}, answer{}, "503"},
		{"HTML", ok(webPage), answer{}, "invalid character"},
		{"Status", ok(statusBody), answer{}, "Status"},
		{"another kind", ok(`{"kind":"PodList","items":[]}`), answer{}, "PodList"},
		{"another kind with items", ok(`{"kind":"PodList","items":[{"metadata":{"name":"x"}}]}`), answer{}, "PodList"},
		{"another kind with groups", ok(`{"kind":"List","groups":[{"name":"x"}]}`), answer{}, "List"},
		{"no kind", ok(`{}`), answer{}, `a ""`},
		{"empty aggregated", ok(`{"kind":"APIGroupDiscoveryList","items":[]}`), answer{}, "empty"},
		{"no group", ok(aggregated("y", "v1", "Current", served)), answer{}, isNot},
		{"no version", ok(aggregated("example.com", "v2", "Current", served)), answer{}, isNot},
		{"another version is stale", ok(aggregated("example.com", "v2", "Stale", served)), answer{}, isNot},
		{"stale", ok(aggregated("example.com", "v1", "Stale", other)), answer{}, "stale"},
		{"stale with the resource", ok(aggregated("example.com", "v1", "Stale", served)), answer{}, "stale"},
		{"no resources", ok(aggregated("example.com", "v1", "Current")), answer{}, "empty"},
		{"aggregated, served", ok(aggregated("example.com", "v1", "Current", other, served)), answer{}, is},
		{"aggregated, absent", ok(aggregated("example.com", "v1", "Current", other)), answer{}, isNot},
		{"no groups", ok(noGroups), answer{}, "empty"},
		{"not listed", ok(unlisted), answer{}, isNot},
		{"listed, served", ok(listed), ok(inVersion), is},
		{"listed, absent", ok(listed), ok(notIn), isNot},
		{"listed, empty", ok(listed), ok(noneIn), "empty"},
		{"listed, another version", ok(listed), ok(inAnother), "empty"},
		{"listed, another kind", ok(listed), ok(strings.ReplaceAll(notIn, "APIResourceList", "Lists")), "empty"},
		{"listed, 403", ok(listed), answer{code: 403, body: notIn}, "403"},
		{"listed, 404", ok(listed), answer{code: 404, body: "404 page not found"}, "404"},
		{"listed, 503", ok(listed), answer{code: 503}, "503"},
		{"listed, cut", ok(listed), answer{code: 200, body: notIn, cut: true}, "unexpected EOF"},
		{"listed, HTML", ok(listed), ok(webPage), "invalid character"},
		{"listed, groups again", ok(listed), ok(listed), "empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &answers{groups: test.groups, version: test.version}
				got, err := New(&http.Client{Transport: s}, "https://server/root/", "").Served(widgets, nil)(t.Context())
				switch {
				case err == nil && got != (test.want == is), err == nil && !got != (test.want == isNot),
					err != nil && (got || !strings.Contains(err.Error(), test.want)):
					t.Errorf("%v, %v; want %s", got, err, test.want)
				}
			})
		})
	}
}

func TestRequestsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &answers{groups: ok(unlisted), etag: `"1"`}
		p := New(&http.Client{Transport: s}, "https://server/root", "test")
		for round := range 3 {
			if round == 2 {
				s.groups, s.etag = ok(aggregated("example.com", "v1", "Current", served)), `"2"`
			}
			var all sync.WaitGroup
			for n := range 10 {
				all.Go(func() {
					time.Sleep(time.Duration(n) * time.Millisecond)
					if got, err := p.Served(widgets, nil)(t.Context()); err != nil || got != (round == 2) {
						t.Errorf("round %d: %v, %v", round, got, err)
					}
				})
			}
			all.Wait()
			if s.requests != round+1 {
				t.Errorf("%d requests in %d rounds", s.requests, round+1)
			}
			time.Sleep(time.Second)
		}
		if s.conditional != 1 {
			t.Errorf("%d answers were 304", s.conditional)
		}
		if core, err := p.Served(schema.GroupVersionResource{Version: "v1", Resource: "pods"}, nil)(t.Context()); !core || err != nil {
			t.Errorf("pods: %v, %v", core, err)
		}
	})
}

func TestScope(t *testing.T) {
	for name, s := range map[string]*answers{
		"aggregated": {groups: ok(aggregated("example.com", "v1", "Current", served))},
		"not":        {groups: ok(listed), version: ok(strings.Replace(inVersion, `"kind":"W`, `"namespaced":true,"kind":"W`, 1))},
	} {
		p := New(&http.Client{Transport: s}, "https://server/root", "")
		if got, err := p.Served(widgets, meta.RESTScopeNamespace)(t.Context()); !got || err != nil {
			t.Errorf("%s: namespaced, as expected: %v, %v", name, got, err)
		}
		if got, err := p.Served(widgets, meta.RESTScopeRoot)(t.Context()); got || err == nil || !strings.Contains(err.Error(), "restart") {
			t.Errorf("%s: namespaced, against expectation: %v, %v", name, got, err)
		}
	}
}

func TestProberEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &answers{stalls: true}
		asked := New(&http.Client{Transport: s}, "https://server/root", "").Served(widgets, nil)
		began := time.Now()
		if _, err := asked(t.Context()); err == nil || time.Since(began) > 11*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		reason := errors.New("the program ends")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(reason) })
		if _, err := asked(ctx); !errors.Is(err, reason) {
			t.Errorf("got %v", err)
		}
	})
}
