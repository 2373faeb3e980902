// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/sharding"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// answer is a Transport that records the request and answers by itself.
type answer func(*http.Request) (*http.Response, error)

func (a answer) RoundTrip(r *http.Request) (*http.Response, error) { return a(r) }

func ok(body io.Reader) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(body)}
}

func TestEveryListOptionIsSent(t *testing.T) {
	sharded, query := metav1.ListOptions{}, ""
	if sharding.Supported() {
		_ = sharding.SetSelector(&sharded, "shardRange(object.metadata.uid, '0x0', '0x8')")
		query = "shardSelector=shardRange%28object.metadata.uid%2C+%270x0%27%2C+%270x8%27%29"
	}
	set := map[string]struct {
		opts  metav1.ListOptions
		query string
	}{
		"LabelSelector":        {metav1.ListOptions{LabelSelector: "app=web,tier in (a,b)"}, "labelSelector=app%3Dweb%2Ctier+in+%28a%2Cb%29"},
		"FieldSelector":        {metav1.ListOptions{FieldSelector: "spec.nodeName=n&1"}, "fieldSelector=spec.nodeName%3Dn%261"},
		"AllowWatchBookmarks":  {metav1.ListOptions{AllowWatchBookmarks: true}, "allowWatchBookmarks=true"},
		"ResourceVersion":      {metav1.ListOptions{ResourceVersion: "0"}, "resourceVersion=0"},
		"ResourceVersionMatch": {metav1.ListOptions{ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}, "resourceVersionMatch=NotOlderThan"},
		"TimeoutSeconds":       {metav1.ListOptions{TimeoutSeconds: new(int64(300))}, "timeoutSeconds=300"},
		"Limit":                {metav1.ListOptions{Limit: 500}, "limit=500"},
		"Continue":             {metav1.ListOptions{Continue: "a/b+c=="}, "continue=a%2Fb%2Bc%3D%3D"},
		"SendInitialEvents":    {metav1.ListOptions{SendInitialEvents: new(false)}, "sendInitialEvents=false"},
		"ShardSelector":        {sharded, query},
		"Watch":                {metav1.ListOptions{Watch: true}, ""}, // said by the method, not by the option
		"TypeMeta":             {metav1.ListOptions{TypeMeta: metav1.TypeMeta{Kind: "ListOptions", APIVersion: "v1"}}, ""},
		"":                     {},
	}
	for field := range reflect.TypeFor[metav1.ListOptions]().Fields() {
		if _, tested := set[field.Name]; !tested {
			t.Errorf("ListOptions.%s is not tested", field.Name)
		}
	}
	for name, test := range set {
		var asked *url.URL
		conn := Conn{BaseURL: "http://server", Client: &http.Client{Transport: answer(func(r *http.Request) (*http.Response, error) {
			asked = r.URL
			if r.URL.Query().Has("watch") {
				return ok(strings.NewReader("")), nil
			}
			return ok(strings.NewReader(listJSON())), nil
		})}}
		src := Source[*Widget](conn, widgets)
		if _, _, err := collect(src, t, test.opts); err != nil || asked.RawQuery != test.query {
			t.Errorf("%s: list asks %q, want %q, error %v", name, asked.RawQuery, test.query, err)
		}
		if _, err := drain(src, t, test.opts); err != nil {
			t.Error(err)
		}
		want, _ := url.ParseQuery(test.query)
		want.Set("watch", "true")
		if !reflect.DeepEqual(asked.Query(), want) {
			t.Errorf("%s: watch asks %q", name, asked.RawQuery)
		}
	}
}

func TestPaths(t *testing.T) {
	pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	for _, test := range []struct {
		base      string
		resource  schema.GroupVersionResource
		namespace string
		want      string
	}{
		{"http://server", pods, "", "http://server/api/v1/pods"},
		{"http://server", pods, "ns", "http://server/api/v1/namespaces/ns/pods"},
		{"http://server/", widgets, "", "http://server/apis/example.com/v1/widgets"},
		{"https://server:6443/clusters/one", widgets, "ns", "https://server:6443/clusters/one/apis/example.com/v1/namespaces/ns/widgets"},
		{"https://server/a%2Fb/", widgets, "", "https://server/a%2Fb/apis/example.com/v1/widgets"},
		{"http://[::1]:8080", pods, "", "http://[::1]:8080/api/v1/pods"},
		{"http://server", pods, "a b", "http://server/api/v1/namespaces/a%20b/pods"},
	} {
		e := newEndpoint(Conn{BaseURL: test.base}, test.resource, test.namespace)
		got, err := "", e.err
		if err == nil {
			got, err = e.withQuery(metav1.ListOptions{})
		}
		if err != nil || got != test.want {
			t.Errorf(
				"%s, %v, %q: %q, %v; want %q",
				test.base,
				test.resource,
				test.namespace,
				got,
				err,
				test.want,
			)
		}
	}
}

func TestWrongConnIsAnError(t *testing.T) {
	good := Conn{BaseURL: "http://server"}
	for _, test := range []struct {
		conn      Conn
		resource  schema.GroupVersionResource
		namespace string
		err       string
	}{
		{Conn{}, widgets, "", "BaseURL must be the root"},
		{Conn{BaseURL: "server:6443"}, widgets, "", "BaseURL must be the root"},
		{Conn{BaseURL: "unix:///run/api"}, widgets, "", "BaseURL must be the root"},
		{Conn{BaseURL: "http://"}, widgets, "", "BaseURL must be the root"},
		{Conn{BaseURL: "http://server/?a=b"}, widgets, "", "neither query"},
		{Conn{BaseURL: "http://server/%zz"}, widgets, "", "BaseURL must be the root"},
		{good, schema.GroupVersionResource{}, "", "needs a version"},
		{good, schema.GroupVersionResource{Group: "g", Version: "v1"}, "", "needs a version"},
		{good, schema.GroupVersionResource{Version: "v1", Resource: "pods/log"}, "", "cannot be part of a path"},
		{good, widgets, "..", "cannot be part of a path"},
		{good, widgets, "a/b", "cannot be part of a path"},
	} {
		src := Source[*Widget](test.conn, test.resource, InNamespace(test.namespace))
		_, _, err := collect(src, t, metav1.ListOptions{})
		wantError(t, err, test.err, "cannot reach "+test.resource.GroupResource().String())
		_, err = drain(src, t, metav1.ListOptions{})
		wantError(t, err, test.err)
	}
	var err error
	if _, err = drain(Source[*Widget](Conn{BaseURL: "ftp://user:secret@server"}, widgets), t, metav1.ListOptions{}); strings.Contains(
		err.Error(),
		"secret",
	) {
		t.Errorf("tells a password: %v", err)
	}
}

func TestHeaders(t *testing.T) {
	for conn, want := range map[Conn]string{{}: " indexer-gen (", {UserAgent: "mine/1"}: "mine/1"} {
		conn.BaseURL = "http://server"
		conn.Client = &http.Client{Transport: answer(func(r *http.Request) (*http.Response, error) {
			if r.Method != http.MethodGet || r.Header.Get("Accept") != "application/json" ||
				!strings.Contains(r.UserAgent(), want) {
				t.Errorf("%s with %v", r.Method, r.Header)
			}
			return nil, errors.New("no network")
		})}
		_, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
		wantError(t, err, "no network", "http://server/apis/example.com/v1/widgets")
	}
}

// stuck is a body that never ends.
type stuck struct{ ctx context.Context }

func (s stuck) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, errors.New("connection closed")
}

func TestDeadlineBehindTimeoutSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := Conn{BaseURL: "http://server", Client: &http.Client{Transport: answer(func(r *http.Request) (*http.Response, error) {
			return ok(stuck{r.Context()}), nil
		})}}
		src := Source[*Widget](conn, widgets)
		begin := time.Now()
		_, err := drain(src, t, metav1.ListOptions{TimeoutSeconds: new(int64(60))})
		wantError(t, err, "watch of widgets.example.com: the server did not end it within 60 s")
		if waited := time.Since(begin); waited != 60*time.Second+defaultGrace {
			t.Errorf("waited %v", waited)
		}
		_, _, err = collect(src, t, metav1.ListOptions{TimeoutSeconds: new(int64(5))})
		wantError(t, err, "within 5 s")
	})
}

// impatient is a transport without responses, or with streams that never end. It counts calls of
// CloseIdleConnections.
type impatient struct {
	answer
	closed int
}

func (i *impatient) CloseIdleConnections() { i.closed++ }

// After a canceled request its connection is not used again.
func TestConnectionsThatMayBeDeadAreLeft(t *testing.T) {
	var closes []bool
	transport := &impatient{answer: func(r *http.Request) (*http.Response, error) {
		closes = append(closes, r.Close)
		if len(closes)%2 == 1 {
			return ok(stuck{r.Context()}), nil
		}
		<-r.Context().Done()
		return nil, r.Context().Err()
	}}
	src := Source[*Widget](
		Conn{BaseURL: "http://server", Client: &http.Client{Transport: transport}},
		widgets,
	)
	tired := errors.New("nothing was received")
	for range 3 {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(0, func() { cancel(tired) })
		if _, err := src.List(ctx, metav1.ListOptions{}, nil); !errors.Is(err, tired) {
			t.Error(err)
		}
	}
	for range 2 { // by which nothing is said of the connection
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(0, cancel)
		if _, err := src.List(ctx, metav1.ListOptions{}, nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if want := []bool{false, true, true, true, false}; !slices.Equal(closes, want) || transport.closed != 3 {
		t.Errorf("closed after requests: %v, want %v; %d times", closes, want, transport.closed)
	}
}
