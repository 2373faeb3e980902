// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
)

// unsent is a transport that sends nothing. It answers each request with 204 and notes its URL.
//
// controller-runtime gives an informer a ListerWatcher, and neither the resource nor the namespace and
// the selectors that its options amount to. The requests of the ListerWatcher have them all.
type unsent struct{}

// noted is the key of a context's *url.URL.
type noted struct{}

// unsentConfig is for clients whose requests are noted.
func unsentConfig() *rest.Config { return &rest.Config{Host: "http://unsent.invalid", QPS: -1} }

func (unsent) RoundTrip(r *http.Request) (*http.Response, error) {
	if into, ok := r.Context().Value(noted{}).(*url.URL); ok {
		*into = *r.URL
	}
	return &http.Response{
		StatusCode: http.StatusNoContent, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, Request: r,
	}, nil
}

// scopeOf returns what lw, which must have an unsent client, reads.
func scopeOf(lw toolscache.ListerWatcher) (layer.Scope, error) {
	var list, watch url.URL
	reader := toolscache.ToListerWatcherWithContext(lw)
	_, _ = reader.ListWithContext(context.WithValue(context.Background(), noted{}, &list), metav1.ListOptions{})
	w, err := reader.WatchWithContext(context.WithValue(context.Background(), noted{}, &watch), metav1.ListOptions{})
	if err == nil {
		w.Stop()
	}
	query := list.Query()
	s := layer.Scope{
		Labels: query.Get("labelSelector"), Fields: query.Get("fieldSelector"),
		Bookmarks: watch.Query().Get("allowWatchBookmarks") == "true",
	}
	path := strings.Split(strings.TrimPrefix(list.Path, "/"), "/")
	switch {
	case len(path) > 2 && path[0] == "api":
		s.Resource.Version, path = path[1], path[2:]
	case len(path) > 3 && path[0] == "apis":
		s.Resource.Group, s.Resource.Version, path = path[1], path[2], path[3:]
	}
	if len(path) == 3 && path[0] == "namespaces" {
		s.Namespace, path = path[1], path[2:]
	}
	if len(path) != 1 || s.Resource.Version == "" {
		return s, fmt.Errorf("a %T reads the unknown path %q: leave out NewCache and set NewInformer in cache.Options "+
			"to clientgo.NewSharedIndexInformer", lw, list.Path)
	}
	s.Resource.Resource = path[0]
	return s, nil
}
