// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"sigs.k8s.io/yaml"
)

const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// crd has the fields of a CustomResourceDefinition that we read.
type crd struct {
	Kind     string
	Metadata struct{ Name string }
	Spec     struct {
		Group    string
		Names    struct{ Plural string }
		Versions []struct {
			Name   string
			Served bool
		}
	}
	Status struct {
		Conditions []struct{ Type, Status, Reason, Message string }
	}
}

// ApplyCRDs creates or updates the custom resource definitions in files, and
// returns once the server serves them: each is Established and each of its
// served versions can be listed. A path may name a file with one or more YAML
// or JSON documents, or a directory, whose .yaml, .yml and .json files are
// taken in order of name. A document that is no CustomResourceDefinition is an
// error.
//
// A definition seems to have been established a minute before it was, since the
// server delays creates for two seconds after that.
func (e Endpoint) ApplyCRDs(ctx context.Context, paths ...string) error {
	definitions, err := readCRDs(paths)
	if err != nil {
		return err
	}
	return e.applyCRDs(ctx, definitions)
}

// definition is a CustomResourceDefinition and the document that it is in.
type definition struct {
	crd
	document
}

func readCRDs(paths []string) (definitions []definition, err error) {
	for _, path := range paths {
		documents, err := readManifests(path)
		if err != nil {
			return nil, err
		}
		in, err := definitionsIn(documents)
		if err != nil {
			return nil, err
		}
		definitions = append(definitions, in...)
	}
	return definitions, nil
}

func definitionsIn(documents []document) (definitions []definition, err error) {
	for _, d := range documents {
		var c crd
		if err := yaml.Unmarshal(d.content, &c); err != nil {
			return nil, fmt.Errorf("%sreading a CustomResourceDefinition: %w", d.prefix(), err)
		}
		if c.Kind != "CustomResourceDefinition" || c.Metadata.Name == "" {
			return nil, fmt.Errorf("%sthe manifest with kind %q and name %q is not a CustomResourceDefinition "+
				"with a name; only those can be applied here: name their files, or a directory of them",
				d.prefix(), c.Kind, c.Metadata.Name)
		}
		definitions = append(definitions, definition{c, d})
	}
	return definitions, nil
}

// ApplyCRDBytes is ApplyCRDs for documents in memory.
func (e Endpoint) ApplyCRDBytes(ctx context.Context, manifests []byte) error {
	documents, err := splitManifests("", manifests)
	if err != nil {
		return err
	}
	definitions, err := definitionsIn(documents)
	if err != nil {
		return err
	}
	return e.applyCRDs(ctx, definitions)
}

func (e Endpoint) applyCRDs(ctx context.Context, definitions []definition) error {
	client := e.HTTPClient()
	defer client.CloseIdleConnections()
	for _, d := range definitions {
		if err := e.applyCRD(ctx, client, d.crd, d.content); err != nil {
			return fmt.Errorf("%sapplying CustomResourceDefinition %s: %w", d.prefix(), d.Metadata.Name, err)
		}
	}
	for _, d := range definitions {
		c := d.crd
		if err := e.waitEstablished(ctx, client, c); err != nil {
			return fmt.Errorf("waiting for CustomResourceDefinition %s to be established: %w", c.Metadata.Name, err)
		}
		if err := e.backdate(ctx, client, c); err != nil {
			return fmt.Errorf("backdating CustomResourceDefinition %s: %w", c.Metadata.Name, err)
		}
		if err := e.waitServed(ctx, client, c); err != nil {
			return fmt.Errorf("waiting for CustomResourceDefinition %s to be served: %w", c.Metadata.Name, err)
		}
	}
	return nil
}

// applyCRD creates or updates a definition.
func (e Endpoint) applyCRD(ctx context.Context, client *http.Client, c crd, document []byte) error {
	return e.serverSideApply(ctx, client, url.PathEscape(c.Metadata.Name), document)
}

// backdate makes an established definition look older than it is. The server
// delays creates for two seconds after a definition is established, so that
// other servers can catch up. Here there are no others.
func (e Endpoint) backdate(ctx context.Context, client *http.Client, c crd) error {
	status := fmt.Appendf(nil, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %s
status:
  conditions:
  - type: Established
    status: "True"
    lastTransitionTime: %q
`, c.Metadata.Name, time.Now().Add(-time.Minute).UTC().Format(time.RFC3339))
	return e.serverSideApply(ctx, client, url.PathEscape(c.Metadata.Name)+"/status", status)
}

func (e Endpoint) serverSideApply(ctx context.Context, client *http.Client, path string, document []byte) error {
	u := e.URL + crdPath + "/" + path + "?fieldManager=indexer-gen-examples&force=true"
	req, err := http.NewRequestWithContext(ctx, http.MethodPatch, u, bytes.NewReader(document))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/apply-patch+yaml")
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return statusError(res)
}

// waitEstablished watches a definition until the server accepts it, or says
// that it will not.
func (e Endpoint) waitEstablished(ctx context.Context, client *http.Client, c crd) error {
	query := url.Values{"watch": {"true"}, "fieldSelector": {"metadata.name=" + c.Metadata.Name}}
	res, err := get(ctx, client, e.URL+crdPath+"?"+query.Encode())
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if err := statusError(res); err != nil {
		return err
	}
	for events := json.NewDecoder(res.Body); ; {
		var event struct {
			Type   string
			Object crd
		}
		if err := events.Decode(&event); err != nil {
			return fmt.Errorf("the watch ended: %w", err)
		}
		switch event.Type {
		case "ADDED", "MODIFIED":
		default:
			return fmt.Errorf("the watch brought the event %q", event.Type)
		}
		for _, condition := range event.Object.Status.Conditions {
			switch {
			case condition.Type == "Established" && condition.Status == "True":
				return nil
			case condition.Type == "NamesAccepted" && condition.Status == "False":
				return fmt.Errorf("the server does not accept its names: %s: %s", condition.Reason, condition.Message)
			}
		}
	}
}

// waitServed lists each served version until the server does not refuse. That
// an established definition has reached the handler is announced nowhere. The
// list is one from the watch cache, for until that is filled the server may
// answer 429 to others.
func (e Endpoint) waitServed(ctx context.Context, client *http.Client, c crd) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for _, version := range c.Spec.Versions {
		if !version.Served {
			continue
		}
		u := fmt.Sprintf("%s/apis/%s/%s/%s?resourceVersion=0", e.URL, c.Spec.Group, version.Name, c.Spec.Names.Plural)
		for {
			err := e.list(ctx, client, u)
			if err == nil {
				break
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return errors.Join(context.Cause(ctx), err)
			}
		}
	}
	return nil
}

func (e Endpoint) list(ctx context.Context, client *http.Client, u string) error {
	res, err := get(ctx, client, u)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return statusError(res)
}

func get(ctx context.Context, client *http.Client, u string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return nil, err
	}
	return client.Do(req)
}

// statusError turns a response that is no success into an error with the
// message of the server.
func statusError(res *http.Response) error {
	if res.StatusCode/100 == 2 {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("%s: %w", res.Status, err)
	}
	var status struct{ Message string }
	if json.Unmarshal(body, &status) != nil || status.Message == "" {
		status.Message = string(body)
	}
	return fmt.Errorf("%s: %s", res.Status, status.Message)
}
