// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/syncbench/internal/widget"
)

// creators is how many requests are under way at a time.
const creators = 16

// create creates the objects from 0 to n.
func create(ctx context.Context, e apiserver.Endpoint, n int) error {
	client := e.HTTPClient()
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range creators {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := createOne(ctx, client, e.URL, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

func createOne(ctx context.Context, client *http.Client, url string, i int) error {
	namespace, _ := widget.Key(i)
	return post(
		ctx,
		client,
		fmt.Sprintf(
			"%s/apis/%s/namespaces/%s/%s",
			url,
			widget.GroupVersion,
			namespace,
			widget.Resource.Resource,
		),
		widget.Make(i),
	)
}

// moveOn has the server's resourceVersion grow, by an object that no client
// under measurement sees.
func moveOn(ctx context.Context, client *http.Client, url string) error {
	return post(
		ctx,
		client,
		fmt.Sprintf("%s/apis/%s/tides", url, widget.GroupVersion),
		fmt.Appendf(
			nil,
			`{"apiVersion":%q,"kind":"Tide","metadata":{"generateName":"tide-"}}`,
			widget.GroupVersion,
		),
	)
}

func post(ctx context.Context, client *http.Client, target string, object []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(object))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusCreated {
		err = fmt.Errorf("POST %s: %s: %s", target, answer.Status, body)
	}
	return err
}
