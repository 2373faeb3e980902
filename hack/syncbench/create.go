// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// creators is how many requests are under way at a time.
const creators = 16

// create creates the objects from 0 to n.
func create(ctx context.Context, e apiserver.Endpoint, w workload, n int) error {
	client := e.HTTPClient()
	defer client.CloseIdleConnections()
	if err := send(ctx, client, e.URL, w.setup...); err != nil {
		return err
	}
	creating, ctx := errgroup.WithContext(ctx)
	creating.SetLimit(creators)
	for i := range n {
		creating.Go(func() error { return send(ctx, client, e.URL, w.object(i)...) })
	}
	return creating.Wait()
}

// send sends requests one after the other.
func send(ctx context.Context, client *http.Client, url string, requests ...request) error {
	for _, r := range requests {
		out, err := http.NewRequestWithContext(ctx, r.method, url+r.path, bytes.NewReader(r.body))
		if err != nil {
			return err
		}
		out.Header.Set("Content-Type", "application/json")
		answer, err := client.Do(out)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err == nil && answer.StatusCode != http.StatusCreated && answer.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s %s: %s: %s", r.method, r.path, answer.Status, body)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
