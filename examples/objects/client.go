// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package objects

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Client writes objects of one resource. It is safe for concurrent use.
type Client struct {
	HTTP     *http.Client // which authenticates
	URL      string       // of the API server
	Resource schema.GroupVersionResource
}

// Create creates obj and fills it with what the server made of it.
func (c Client) Create(ctx context.Context, obj metav1.Object) error {
	return c.do(ctx, http.MethodPost, c.path(obj.GetNamespace()), obj)
}

// Update replaces obj and fills it with what the server made of it.
func (c Client) Update(ctx context.Context, obj metav1.Object) error {
	return c.do(ctx, http.MethodPut, c.path(obj.GetNamespace())+"/"+obj.GetName(), obj)
}

// Delete deletes obj.
func (c Client) Delete(ctx context.Context, obj metav1.Object) error {
	return c.do(ctx, http.MethodDelete, c.path(obj.GetNamespace())+"/"+obj.GetName(), nil)
}

func (c Client) path(namespace string) string {
	path := c.URL + "/apis/" + c.Resource.GroupVersion().String()
	if namespace != "" {
		path += "/namespaces/" + namespace
	}
	return path + "/" + c.Resource.Resource
}

// do sends obj, if there is one, and reads the answer into it.
func (c Client) do(ctx context.Context, method, url string, obj metav1.Object) error {
	var body bytes.Buffer
	if obj != nil {
		if err := json.NewEncoder(&body).Encode(obj); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, url, &body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s: %s", method, url, resp.Status, answer)
	}
	if obj == nil {
		return nil
	}
	return json.Unmarshal(answer, obj)
}
