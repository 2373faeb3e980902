// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/syncbench/internal/widget"
)

// The object whose arrival ends a replay.
const (
	markerNamespace = "the"
	markerName      = "end"
)

// record reads all objects from the API server and returns their JSON as it is
// on the wire.
func record(ctx context.Context, e apiserver.Endpoint) ([][]byte, error) {
	client := e.HTTPClient()
	defer client.CloseIdleConnections()
	target := fmt.Sprintf("%s/apis/%s/%s", e.URL, widget.GroupVersion, widget.Resource.Resource)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("recording: %s: %s", answer.Status, body)
	}
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, err
	}
	objects := make([][]byte, len(list.Items))
	for i, item := range list.Items {
		objects[i] = bytes.Clone(item)
	}
	return objects, nil
}

// replay is a server that lists some objects and then sends changes to them.
type replay struct {
	*httptest.Server
	events int
	// head and tail of each object, around the digits of its resourceVersion.
	heads, tails [][]byte
}

func serveReplay(objects [][]byte, events int) (*replay, error) {
	r := &replay{events: events}
	const before = "\"resourceVersion\":\""
	for _, object := range objects {
		at := bytes.Index(object, []byte(before)) + len(before)
		length := bytes.IndexByte(object[max(at, 0):], '"')
		if at < len(before) || length < 1 {
			return nil, fmt.Errorf("a recorded object has no resourceVersion: %s", object)
		}
		r.heads = append(r.heads, object[:at])
		r.tails = append(r.tails, object[at+length:])
	}
	if len(r.heads) == 0 {
		return nil, fmt.Errorf("there is nothing to replay")
	}
	r.Server = httptest.NewServer(r)
	return r, nil
}

const firstVersion = 1_000_000

// ServeHTTP answers lists, watches and WatchLists.
func (r *replay) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	query := request.URL.Query()
	if watch := query.Get("watch"); watch != "true" && watch != "1" {
		r.list(w)
		return
	}
	if query.Get("sendInitialEvents") == "true" {
		for i := range r.heads {
			r.event(w, "ADDED", i, firstVersion)
		}
		fmt.Fprintf(
			w,
			"{\"type\":\"BOOKMARK\",\"object\":{\"apiVersion\":%q,\"kind\":\"Widget\",\"metadata\":{\"resourceVersion\":\"%d\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n",
			widget.GroupVersion,
			firstVersion,
		)
		w.(http.Flusher).Flush()
	}
	for n := range r.events {
		if request.Context().Err() != nil {
			return
		}
		r.event(w, "MODIFIED", n%len(r.heads), firstVersion+1+n)
	}
	fmt.Fprintf(
		w,
		"{\"type\":\"ADDED\",\"object\":{\"apiVersion\":%q,\"kind\":\"Widget\",\"metadata\":{\"namespace\":%q,\"name\":%q,\"uid\":\"the-end\",\"resourceVersion\":\"%d\"}}}\n",
		widget.GroupVersion,
		markerNamespace,
		markerName,
		firstVersion+1+r.events,
	)
	w.(http.Flusher).Flush()
	<-request.Context().Done()
}

func (r *replay) list(w http.ResponseWriter) {
	fmt.Fprintf(
		w,
		"{\"apiVersion\":%q,\"kind\":\"WidgetList\",\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":[",
		widget.GroupVersion,
		firstVersion,
	)
	for i := range r.heads {
		if i > 0 {
			_, _ = io.WriteString(w, ",")
		}
		r.object(w, i, firstVersion)
	}
	_, _ = io.WriteString(w, "]}")
}

func (r *replay) event(w http.ResponseWriter, kind string, i, version int) {
	_, _ = io.WriteString(w, "{\"type\":\""+kind+"\",\"object\":")
	r.object(w, i, version)
	_, _ = io.WriteString(w, "}\n")
}

func (r *replay) object(w http.ResponseWriter, i, version int) {
	var digits [20]byte
	_, _ = w.Write(r.heads[i])
	_, _ = w.Write(strconv.AppendInt(digits[:0], int64(version), 10))
	_, _ = w.Write(r.tails[i])
}
