// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// truth is the server's own list of all objects, as text.
type truth struct {
	version uint64 // of the list
	items   []item
}

type item struct {
	text []byte
	meta metav1.PartialObjectMetadata
}

// observer asks the server, with a client that suffers from no fault.
type observer struct {
	client *http.Client
	url    string
}

func newObserver(e apiserver.Endpoint) *observer {
	return &observer{client: e.HTTPClient(), url: e.URL + "/apis/fleet.example.com/v1alpha1/devices"}
}

// list returns the latest state in etcd. It tries again while the server starts.
func (o *observer) list(ctx context.Context, query string) (truth, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		t, err := o.listOnce(ctx, query)
		if err == nil {
			return t, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return truth{}, errors.Join(err, context.Cause(ctx))
		}
	}
}

// version returns the latest resourceVersion.
func (o *observer) version(ctx context.Context) (uint64, error) {
	t, err := o.list(ctx, "?limit=1")
	return t.version, err
}

func (o *observer) listOnce(ctx context.Context, query string) (t truth, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.url+query, nil)
	if err != nil {
		return t, err
	}
	response, err := o.client.Do(request)
	if err != nil {
		return t, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return t, err
	}
	if response.StatusCode != http.StatusOK {
		return t, fmt.Errorf("listing devices: %s: %.200s", response.Status, body)
	}
	var list struct {
		Metadata metav1.ListMeta
		Items    []json.RawMessage
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return t, err
	}
	if t.version, err = strconv.ParseUint(list.Metadata.ResourceVersion, 10, 64); err != nil {
		return t, err
	}
	for _, text := range list.Items {
		i := item{text: text}
		if err := json.Unmarshal(text, &i.meta); err != nil {
			return t, err
		}
		t.items = append(t.items, i)
	}
	return t, nil
}
