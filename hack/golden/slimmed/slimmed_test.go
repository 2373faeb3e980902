// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package slimmed

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/slim"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// inEnvelope returns a list of Pods as API servers send it.
func inEnvelope(t *testing.T, pods *corev1.PodList) []byte {
	list, err := pods.Marshal()
	if err != nil {
		t.Error(err)
	}
	body, err := (&runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "PodList"}, Raw: list}).Marshal()
	if err != nil {
		t.Error(err)
	}
	return append([]byte("k8s\x00"), body...)
}

// serve answers lists of Pods and Nodes with whole objects, and watches with nothing.
func serve(t *testing.T) wire.Conn {
	t.Helper()
	pods := corev1.PodList{
		ListMeta: metav1.ListMeta{ResourceVersion: "9"},
		Items: []corev1.Pod{{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "ns", Name: "a", UID: "1", ResourceVersion: "5", Labels: map[string]string{"app": "web"},
				Annotations: map[string]string{
					"not": "wanted", "example.com/zone": "z1",
				}, OwnerReferences: []metav1.OwnerReference{{Name: "o"}},
			},
			Spec: corev1.PodSpec{
				NodeName: "n1", Containers: []corev1.Container{{Name: "c", Image: "i"}},
				Volumes: []corev1.Volume{
					{
						Name: "v",
						VolumeSource: corev1.VolumeSource{
							Secret: &corev1.SecretVolumeSource{SecretName: "s"},
						},
					},
				},
			},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1"},
		}, {
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "b", UID: "2", ResourceVersion: "6"},
			Spec:       corev1.PodSpec{NodeName: "n1"}, Status: corev1.PodStatus{Phase: corev1.PodPending},
		}},
	}
	nodes := corev1.NodeList{
		ListMeta: metav1.ListMeta{ResourceVersion: "9"},
		Items:    []corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "n1", UID: "3"}}},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if forMetadata := strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata"); forMetadata != (r.URL.Path == "/api/v1/nodes") {
			t.Errorf("%s accepts %s", r.URL.Path, r.Header.Get("Accept"))
		}
		answer, ok := map[string]any{"/api/v1/pods": pods, "/api/v1/nodes": nodes}[r.URL.Path]
		if !ok {
			t.Errorf("request for %s", r.URL.Path)
		}
		inProtobuf := r.URL.Path == "/api/v1/pods"
		contentType := runtime.ContentTypeJSON
		if inProtobuf {
			contentType = runtime.ContentTypeProtobuf
		}
		if !strings.HasPrefix(r.Header.Get("Accept"), runtime.ContentTypeProtobuf) {
			t.Errorf("%s prefers %s", r.URL.Path, r.Header.Get("Accept"))
		}
		w.Header().Set("Content-Type", contentType)
		if r.URL.Query().Get("watch") != "" {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		if inProtobuf {
			_, _ = w.Write(inEnvelope(t, &pods))
		} else if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return wire.Conn{Client: server.Client(), BaseURL: server.URL}
}

func names(seq iter.Seq[*Pod]) string {
	var out []string
	for p := range seq {
		out = append(out, p.Name)
	}
	slices.Sort(out)
	return fmt.Sprint(out)
}

// TestSlimTypesHaveInformers reads whole Pods and Nodes into slim ones, and asks
// what their markers promise.
func TestSlimTypesHaveInformers(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	conn := serve(t)
	informers := NewInformers(InformerSources{
		Hosts: wire.Source[*Host](conn, HostsResource),
		Pods:  wire.Source[*Pod](conn, PodsResource, wire.ProtobufOf[corev1.Pod]()),
	}, informer.WithReflector(reflector.Settings{NoWatchList: true}),
		informer.WithErrorHandler(func(err error) { t.Log(err) }))
	pods, hosts := informers.Pods().Lister(), informers.Hosts().Lister()
	informers.Start(ctx)
	defer informers.Shutdown()
	if err := informers.WaitForSync(ctx); err != nil {
		t.Fatal(err)
	}
	for query, got := range map[string]string{
		"ByNodeName [a b]": names(pods.ByNodeName("n1")),
		"ByNodePhase [a]":  names(pods.ByNodePhase("n1", "Running")),
		"ByLabel [a]":      names(pods.ByLabel("app", "web")),
		"ByZone [a]":       names(pods.ByZone("z1")),
		"BySecret [a]":     names(pods.BySecret(types.NamespacedName{Namespace: "ns", Name: "s"})),
		"List [a]":         names(pods.List(labels.SelectorFromSet(labels.Set{"app": "web"}))),
	} {
		var name string
		if _, err := fmt.Sscan(query, &name); err != nil || query != name+" "+got {
			t.Errorf("%s yields %s", query, got)
		}
	}
	if h, ok := hosts.ByUID("3"); !ok || h.Name != "n1" {
		t.Errorf("ByUID() = %v, %v", h, ok)
	}
	if p, err := pods.Get("ns", "a"); err != nil || p.UID != "1" || p.ResourceVersion != "5" {
		t.Errorf("Get() = %v, %v", p, err)
	}
}

// TestConvertedTypesHaveInformers makes Addresses of the Pods that a server has.
func TestConvertedTypesHaveInformers(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	pods := wire.Source[*corev1.Pod](serve(t), PodsResource)
	addresses := source.Map(pods, func(p *corev1.Pod) (*Address, error) {
		if p.Status.PodIP == "" {
			return nil, source.ErrDrop
		}
		return &Address{Meta: slim.MetaOf(p), IP: p.Status.PodIP}, nil
	})
	informers := NewInformers(InformerSources{Addresses: addresses},
		informer.WithReflector(reflector.Settings{NoWatchList: true}))
	lister := informers.Addresses().Lister()
	informers.Start(ctx)
	defer informers.Shutdown()
	if err := informers.WaitForSync(ctx); err != nil {
		t.Fatal(err)
	}
	if a, ok := lister.ByIP("10.0.0.1"); !ok || a.Name != "a" || lister.Len() != 1 {
		t.Errorf("ByIP() = %v, %v of %d", a, ok, lister.Len())
	}
	if _, err := lister.Get("ns", "b"); !apierrors.IsNotFound(err) || err.Error() != `pods "b" not found` {
		t.Errorf("Get() = %v", err)
	}
}
