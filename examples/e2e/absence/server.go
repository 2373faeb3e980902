// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package absence

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

const (
	group = "optional.example.dev"
	crds  = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
)

// Types returns the resources that come and go. Informers read these, in version v1; sometimes only v2 is served.
func Types() []schema.GroupVersionResource {
	v1 := schema.GroupVersion{Group: group, Version: "v1"}
	return []schema.GroupVersionResource{v1.WithResource("alphas"), v1.WithResource("betas"), v1.WithResource("gammas")}
}

// Kind returns the kind of one of Types.
func Kind(r schema.GroupVersionResource) schema.GroupVersionKind {
	return r.GroupVersion().WithKind(kindOf(r.Resource))
}

func kindOf(resource string) string {
	return strings.ToUpper(resource[:1]) + resource[1:len(resource)-1]
}

// cluster is a server whose types come and go.
type cluster struct {
	t *testing.T
	*apiserver.Server
	client *http.Client
	served map[string]string // version, by resource
	random *rand.Rand
}

func (c *cluster) do(method, path, body string) (int, []byte) {
	c.t.Helper()
	for {
		request, err := http.NewRequestWithContext(c.t.Context(), method, c.URL+path, strings.NewReader(body))
		if err != nil {
			c.t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		answer, err := c.client.Do(request)
		if err != nil {
			continue // cut
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err == nil && answer.StatusCode != http.StatusServiceUnavailable && answer.StatusCode != http.StatusTooManyRequests {
			return answer.StatusCode, text
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (c *cluster) install(name, version string) {
	manifest := fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"%[1]s.%[2]s"},"spec":{"group":"%[2]s","scope":"Namespaced","names":{"plural":"%[1]s","kind":"%[3]s"},
"versions":[{"name":"%[4]s","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`,
		name, group, kindOf(name), version)
	if err := c.ApplyCRDBytes(c.t.Context(), []byte(manifest)); err != nil {
		c.t.Fatal(err)
	}
	c.served[name] = version
}

func (c *cluster) remove(name string) {
	definition := crds + name + "." + group
	c.do(http.MethodDelete, definition, "")
	for _, path := range []string{definition, "/apis/" + group + "/" + c.served[name] + "/" + name} {
		for code := 0; code != http.StatusNotFound; code, _ = c.do(http.MethodGet, path, "") {
			time.Sleep(20 * time.Millisecond)
		}
	}
	delete(c.served, name)
}

// write creates or deletes an object of a type that is served.
func (c *cluster) write(name string) {
	version, object := c.served[name], fmt.Sprint("o", c.random.IntN(6))
	in := "/apis/" + group + "/" + version + "/namespaces/n/" + name
	if c.random.IntN(3) == 0 {
		c.do(http.MethodDelete, in+"/"+object, "")
		return
	}
	c.do(http.MethodPost, in, fmt.Sprintf(`{"apiVersion":"%s/%s","kind":%q,"metadata":{"name":%q}}`,
		group, version, kindOf(name), object))
}

// list returns the states of all objects of v1, by namespace and name, and nil if v1 is not served.
func (c *cluster) list(name string) map[string]string {
	if c.served[name] != "v1" {
		return nil
	}
	code, text := c.do(http.MethodGet, "/apis/"+group+"/v1/"+name, "")
	var list metav1.PartialObjectMetadataList
	if err := json.Unmarshal(text, &list); err != nil || code != http.StatusOK {
		c.t.Fatalf("list of %s: %d %v %s", name, code, err, text)
	}
	all := map[string]string{}
	for i := range list.Items {
		add(all, &list.Items[i])
	}
	return all
}

func add(all map[string]string, o metav1.Object) {
	all[o.GetNamespace()+"/"+o.GetName()] = string(o.GetUID()) + " " + o.GetResourceVersion()
}
