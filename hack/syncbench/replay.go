// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The object whose arrival ends a replay.
const (
	markerNamespace = "the"
	markerName      = "end"
)

// record reads all objects from the API server.
func record(ctx context.Context, e apiserver.Endpoint, w workload) ([][]byte, error) {
	client := e.HTTPClient()
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.URL+w.path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", w.encoding.accept)
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, body)
	}
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	return w.encoding.items(body)
}

// replay is a server that answers WatchLists with objects, and then with changes to them in turn.
type replay struct {
	*httptest.Server
	contentType     string
	added, modified []frame
	events          int
	begin, end      []byte // events around the changes
}

// frame is an event without the digits of its resourceVersion.
type frame struct{ head, tail []byte }

func (f frame) send(w io.Writer, version int) {
	var digits [20]byte
	_, _ = w.Write(f.head)
	_, _ = w.Write(strconv.AppendInt(digits[:0], int64(version), 10))
	_, _ = w.Write(f.tail)
}

func serveReplay(e encoding, objects [][]byte, events int) (*replay, error) {
	r := &replay{contentType: e.watch, events: events}
	var errs []error
	encode := func(kind string, object []byte) frame {
		event, err := e.event(kind, object)
		head, tail, found := bytes.Cut(event, fmt.Appendf(nil, "%s%d", e.before, firstVersion))
		if !found {
			err = errors.Join(err, fmt.Errorf("an event has no resourceVersion: %q", event))
		}
		errs = append(errs, err)
		return frame{append(bytes.Clone(head), e.before...), tail}
	}
	for _, object := range objects {
		r.added, r.modified = append(r.added, encode("ADDED", object)), append(r.modified, encode("MODIFIED", object))
	}
	bookmark, err := e.object(metav1.ObjectMeta{
		ResourceVersion: fmt.Sprint(firstVersion),
		Annotations:     map[string]string{metav1.InitialEventsAnnotationKey: "true"},
	})
	errs = append(errs, err)
	marker, err := e.object(metav1.ObjectMeta{
		Namespace: markerNamespace, Name: markerName, UID: "the-end",
		ResourceVersion: fmt.Sprint(firstVersion + 1 + events),
	})
	errs = append(errs, err)
	r.begin, err = e.event("BOOKMARK", bookmark)
	errs = append(errs, err)
	r.end, err = e.event("ADDED", marker)
	errs = append(errs, err)
	if len(objects) == 0 {
		errs = append(errs, errors.New("there is nothing to replay"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	r.Server = httptest.NewServer(r)
	return r, nil
}

// ServeHTTP answers WatchLists.
func (r *replay) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if request.URL.Query().Get("sendInitialEvents") != "true" {
		http.Error(w, "a replay answers WatchLists only", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", r.contentType)
	for _, f := range r.added {
		f.send(w, firstVersion)
	}
	_, _ = w.Write(r.begin)
	w.(http.Flusher).Flush()
	for n := range r.events {
		if request.Context().Err() != nil {
			return
		}
		r.modified[n%len(r.modified)].send(w, firstVersion+1+n)
	}
	_, _ = w.Write(r.end)
	w.(http.Flusher).Flush()
	<-request.Context().Done()
}
