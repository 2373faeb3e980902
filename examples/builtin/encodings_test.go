// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/indexer-gen/indexer-gen/examples/builtin"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// testEncodings reads the objects of each type in protobuf and in JSON. They must be equal.
func testEncodings(t *testing.T, c kubeCluster) {
	const namespace = "encodings"
	data, err := os.ReadFile("testdata/objects.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c.post(t, "/api/v1/namespaces", fmt.Sprintf("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}", namespace))
	for _, object := range strings.Split(string(data), "\n---\n") {
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal([]byte(object), &kind); err != nil {
			t.Fatal(err)
		}
		path, in := "/apis/"+kind.APIVersion, "/namespaces/"+namespace
		if kind.APIVersion == "v1" {
			path = "/api/v1"
		}
		switch kind.Kind {
		case "Node", "PersistentVolume", "VolumeAttachment":
			in = ""
		}
		resource := strings.TrimSuffix(strings.ToLower(kind.Kind), "s") + "s"
		if kind.Kind == "Ingress" {
			resource = "ingresses"
		}
		c.post(t, path+in+"/"+resource, object)
	}
	equalEncodings[builtin.ClusterRoleBinding](t, c, builtin.ClusterRoleBindingsResource)
	equalEncodings[builtin.ConfigMap](t, c, builtin.ConfigMapsResource)
	equalEncodings[builtin.CronJob](t, c, builtin.CronJobsResource)
	equalEncodings[builtin.DaemonSet](t, c, builtin.DaemonSetsResource)
	equalEncodings[builtin.Deployment](t, c, builtin.DeploymentsResource)
	equalEncodings[builtin.EndpointSlice](t, c, builtin.EndpointSlicesResource)
	equalEncodings[builtin.Event](t, c, builtin.EventsResource)
	equalEncodings[builtin.HorizontalPodAutoscaler](t, c, builtin.HorizontalPodAutoscalersResource)
	equalEncodings[builtin.Ingress](t, c, builtin.IngressesResource)
	equalEncodings[builtin.Job](t, c, builtin.JobsResource)
	equalEncodings[builtin.Namespace](t, c, builtin.NamespacesResource)
	equalEncodings[builtin.Node](t, c, builtin.NodesResource)
	equalEncodings[builtin.PersistentVolume](t, c, builtin.PersistentVolumesResource)
	equalEncodings[builtin.PersistentVolumeClaim](t, c, builtin.PersistentVolumeClaimsResource)
	equalEncodings[builtin.Pod](t, c, builtin.PodsResource)
	equalEncodings[builtin.ReplicaSet](t, c, builtin.ReplicaSetsResource)
	equalEncodings[builtin.RoleBinding](t, c, builtin.RoleBindingsResource)
	equalEncodings[builtin.Secret](t, c, builtin.SecretsResource)
	equalEncodings[builtin.Service](t, c, builtin.ServicesResource)
	equalEncodings[builtin.ServiceAccount](t, c, builtin.ServiceAccountsResource)
	equalEncodings[builtin.StatefulSet](t, c, builtin.StatefulSetsResource)
	equalEncodings[builtin.VolumeAttachment](t, c, builtin.VolumeAttachmentsResource)
}

func (c kubeCluster) post(t *testing.T, path, object string) {
	t.Helper()
	client := c.HTTPClient()
	defer client.CloseIdleConnections()
	answer, err := client.Post(c.URL+path, "application/yaml", strings.NewReader(object))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %s: %s\n%s", path, answer.Status, body, object)
	}
}

// equalEncodings lists and watches objects in protobuf and in JSON.
func equalEncodings[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, c kubeCluster, resource schema.GroupVersionResource) {
	t.Helper()
	read := func(transport func(http.RoundTripper) http.RoundTripper) map[types.NamespacedName]T {
		client := c.HTTPClient()
		defer client.CloseIdleConnections()
		client.Transport = transport(client.Transport)
		src := wire.Source[T](wire.Conn{Client: client, BaseURL: c.URL}, resource)
		objects := map[types.NamespacedName]T{}
		_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[T], err error) error {
			withoutNestedKinds(item.Object)
			objects[types.NamespacedName{Namespace: item.Object.GetNamespace(), Name: item.Object.GetName()}] = item.Object
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", resource, err)
		}
		initial := metav1.ListOptions{
			SendInitialEvents: new(true), AllowWatchBookmarks: true,
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		}
		watched := 0
		enough := errors.New("all initial events came")
		err = src.Watch(t.Context(), initial, func(d source.Delta[T], _ string, err error) error {
			if err != nil {
				return err
			}
			if d.Type == delta.InitialEnd {
				return enough
			}
			withoutNestedKinds(d.Object)
			if !equality.Semantic.DeepEqual(d.Object, objects[d.Key]) {
				t.Errorf("%s: watched %+v, listed %+v", resource, d.Object, objects[d.Key])
			}
			watched++
			return nil
		})
		if err != enough {
			t.Fatalf("%s: %v", resource, err)
		}
		if len(objects) == 0 || watched != len(objects) {
			t.Errorf("%s: %d objects are listed, %d watched", resource, len(objects), watched)
		}
		return objects
	}
	want := func(contentType, accept string) func(http.RoundTripper) http.RoundTripper {
		return func(next http.RoundTripper) http.RoundTripper { return encoded{t, next, contentType, accept} }
	}
	inProtobuf := read(want(runtime.ContentTypeProtobuf, ""))
	inJSON := read(want(runtime.ContentTypeJSON, runtime.ContentTypeJSON))
	if !equality.Semantic.DeepEqual(inProtobuf, inJSON) {
		t.Errorf("%s: in protobuf %+v\nin JSON %+v", resource, inProtobuf, inJSON)
	}
}

// withoutNestedKinds clears the kinds of objects within an object, which protobuf does not have.
func withoutNestedKinds(object any) {
	if set, ok := object.(*builtin.StatefulSet); ok {
		for i := range set.Spec.VolumeClaimTemplates {
			set.Spec.VolumeClaimTemplates[i].TypeMeta = metav1.TypeMeta{}
		}
	}
}

// encoded asks for an encoding and checks the answers'.
type encoded struct {
	t                   *testing.T
	next                http.RoundTripper
	contentType, accept string
}

func (e encoded) RoundTrip(r *http.Request) (*http.Response, error) {
	if e.accept != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Accept", e.accept)
	}
	answer, err := e.next.RoundTrip(r)
	if err == nil && !strings.HasPrefix(answer.Header.Get("Content-Type"), e.contentType) {
		e.t.Errorf("%s: the answer is %s instead of %s", r.URL, answer.Header.Get("Content-Type"), e.contentType)
	}
	return answer, err
}
