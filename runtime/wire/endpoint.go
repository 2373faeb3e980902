// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion/queryparams"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// endpoint is one resource in one namespace, or in all, on the server of a Conn.
type endpoint struct {
	client    *http.Client
	url       *url.URL
	resource  schema.GroupResource
	userAgent string
	maxObject int64
	maxList   int64
	// The Accept headers of lists and watches.
	acceptList, acceptWatch string
	protobuf                bool // they accept protobuf
	// grace is the time that a server may take to end a request after the request's own time limit.
	grace time.Duration
	// doubtful is set when the server did not answer a request in time; see get.
	doubtful atomic.Bool
	// err makes the endpoint unusable if it is not nil.
	err error
}

const (
	defaultGrace = 30 * time.Second
	mediaJSON    = "application/json"
)

func newEndpoint(conn Conn, resource schema.GroupVersionResource, namespace string) *endpoint {
	e := &endpoint{
		client:     cmp.Or(conn.Client, http.DefaultClient),
		resource:   resource.GroupResource(),
		userAgent:  cmp.Or(conn.UserAgent, defaultUserAgent()),
		maxObject:  min(cmp.Or(conn.MaxObjectBytes, DefaultMaxObjectBytes), 1<<40),
		maxList:    cmp.Or(conn.MaxListBytes, DefaultMaxListBytes),
		acceptList: mediaJSON, acceptWatch: mediaJSON,
		grace: defaultGrace,
	}
	base, baseErr := parseBase(conn.BaseURL)
	segments, pathErr := resourcePath(resource, namespace)
	e.err = errors.Join(baseErr, pathErr)
	if e.err != nil {
		e.err = fmt.Errorf("cannot reach %s: %w", resource.GroupResource(), e.err)
		return e
	}
	e.url = base.JoinPath(segments...)
	return e
}

// parseBase does not quote base in its errors, because base may hold a password or token.
func parseBase(base string) (*url.URL, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, errors.New("Conn.BaseURL must be the root of the API server, such as https://10.0.0.1:6443")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("Conn.BaseURL must have neither query nor fragment")
	}
	return u, nil
}

// resourcePath returns the path segments of a resource. The core group has a path of its own.
func resourcePath(resource schema.GroupVersionResource, namespace string) ([]string, error) {
	segments := []string{"api", resource.Version}
	if resource.Group != "" {
		segments = []string{"apis", resource.Group, resource.Version}
	}
	if namespace != "" {
		segments = append(segments, "namespaces", namespace)
	}
	segments = append(segments, resource.Resource)
	for _, segment := range segments {
		if segment == "" {
			return nil, fmt.Errorf("resource %q needs a version and a name", resource.String())
		}
		if segment == "." || segment == ".." || strings.ContainsAny(segment, "/%") {
			return nil, fmt.Errorf("%q cannot be part of a path: it must not be . or .., nor contain / or %%", segment)
		}
	}
	return segments, nil
}

// withQuery returns the URL of one request.
func (e *endpoint) withQuery(opts metav1.ListOptions) (string, error) {
	opts.TypeMeta = metav1.TypeMeta{}
	query, err := queryparams.Convert(&opts)
	if err != nil {
		return "", fmt.Errorf("the list options cannot be sent: %w", err)
	}
	u := *e.url
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// defaultUserAgent starts with the program's name, so that it is easy to find in the API server's
// audit log.
func defaultUserAgent() string {
	return fmt.Sprintf("%s indexer-gen (%s/%s)", filepath.Base(os.Args[0]), runtime.GOOS, runtime.GOARCH)
}
