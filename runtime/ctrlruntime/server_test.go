// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// apiServer serves Pods and Nodes.
type apiServer struct {
	pods  *runtimetest.Server[*corev1.Pod]
	nodes *runtimetest.Server[*corev1.Node]
	url   string

	mu       sync.Mutex
	requests []string // paths, with "watch " before those of watches
	fails    error    // answers every request if it is not nil
	failsIn  string   // the only namespace whose requests fail; "" for all
}

// failIn answers requests in a namespace with err, and ends all watches.
func (s *apiServer) failIn(namespace string, err error) {
	s.mu.Lock()
	s.fails, s.failsIn = err, namespace
	s.mu.Unlock()
	s.pods.CutWatches(nil)
}

func newUnservedAPIServer() *apiServer {
	return &apiServer{pods: runtimetest.NewServer[*corev1.Pod](), nodes: runtimetest.NewServer[*corev1.Node]()}
}

func newAPIServer(t testing.TB) *apiServer {
	s := newUnservedAPIServer()
	server := httptest.NewServer(s)
	s.url = server.URL
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return s
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	var opts metav1.ListOptions
	if err := metav1.Convert_url_Values_To_v1_ListOptions(&query, &opts, nil); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	fails, failsIn, line := s.fails, s.failsIn, r.URL.Path
	if opts.Watch {
		line = "watch " + line
	}
	s.requests = append(s.requests, line)
	s.mu.Unlock()
	path := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/v1/"), "/")
	namespace := ""
	if len(path) == 3 {
		namespace, path = path[1], path[2:]
	}
	switch {
	case fails != nil && (failsIn == "" || failsIn == namespace):
		answer(w, fails)
	case path[0] == "nodes":
		serve(w, r, s.nodes, "Node", opts)
	default:
		serve(w, r, s.pods.In(namespace), "Pod", opts)
	}
}

func answer(w http.ResponseWriter, err error) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	w.WriteHeader(int(status.Status().Code))
	_ = json.NewEncoder(w).Encode(withKind(status.Status(), "Status"))
}

// withKind returns obj as JSON with a kind.
func withKind(obj any, kind string) map[string]any {
	text, _ := json.Marshal(obj)
	var out map[string]any
	_ = json.Unmarshal(text, &out)
	out["kind"], out["apiVersion"] = kind, "v1"
	return out
}

func serve[T metav1.Object](
	w http.ResponseWriter, r *http.Request, src source.ListerWatcher[T], kind string, opts metav1.ListOptions,
) {
	w.Header().Set("Content-Type", "application/json")
	object := func(obj any) any { return withKind(obj, kind) }
	if strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata") {
		kind = "PartialObjectMetadata"
		object = func(obj any) any {
			full := withKind(obj, kind)
			return map[string]any{"kind": kind, "apiVersion": "meta.k8s.io/v1", "metadata": full["metadata"]}
		}
	}
	if !opts.Watch {
		items := []any{}
		list, err := src.List(r.Context(), opts, func(item source.Delta[T], err error) error {
			items = append(items, object(item.Object))
			return err
		})
		if err != nil {
			answer(w, err)
			return
		}
		out := withKind(struct {
			metav1.ListMeta `json:"metadata"`
			Items           []any `json:"items"`
		}{list, items}, kind+"List")
		_ = json.NewEncoder(w).Encode(out)
		return
	}
	_ = src.Watch(r.Context(), opts, func(d source.Delta[T], version string, err error) error {
		if err != nil {
			return err
		}
		var sent any
		kind := map[delta.Type]string{delta.Added: "ADDED", delta.Updated: "MODIFIED", delta.Deleted: "DELETED"}[d.Type]
		if kind != "" {
			sent = object(d.Object)
		} else {
			kind = "BOOKMARK"
			bookmark := metav1.ObjectMeta{ResourceVersion: version}
			if d.Type == delta.InitialEnd {
				bookmark.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
			}
			sent = object(metav1.PartialObjectMetadata{ObjectMeta: bookmark})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"type": kind, "object": sent})
		return http.NewResponseController(w).Flush()
	})
}

// watches counts the watches that have begun, by path.
func (s *apiServer) watches() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int{}
	for _, line := range s.requests {
		if path, ok := strings.CutPrefix(line, "watch "); ok {
			out[path]++
		}
	}
	return out
}

func (s *apiServer) config() *rest.Config { return &rest.Config{Host: s.url, QPS: -1} }

func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	for kind, scope := range map[string]meta.RESTScope{"Pod": meta.RESTScopeNamespace, "Node": meta.RESTScopeRoot} {
		m.Add(corev1.SchemeGroupVersion.WithKind(kind), scope)
		m.Add(corev1.SchemeGroupVersion.WithKind(kind+"List"), scope)
	}
	return m
}

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// startInMemory is start without connections, for a bubble of synctest.
func startInMemory(t *testing.T, create cache.NewCacheFunc, s *apiServer, opts cache.Options, prepare func(cache.Cache)) cache.Cache {
	opts.HTTPClient = &http.Client{Transport: inMemory{s}}
	s.url = "http://server"
	return start(t, create, s, opts, prepare)
}

// start makes a cache, starts it, and stops it at the end of the test.
func start(t testing.TB, create cache.NewCacheFunc, s *apiServer, opts cache.Options, prepare func(cache.Cache)) cache.Cache {
	t.Helper()
	opts.Mapper = mapper()
	c, err := create(s.config(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(c)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- c.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return c
}
