// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientset

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
)

type pods = source.Source[*corev1.Pod]

func items(l *corev1.PodList) []corev1.Pod { return l.Items }

func pod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, Labels: map[string]string{"app": name}},
	}
}

func collect(t *testing.T, src pods, opts metav1.ListOptions) ([]*corev1.Pod, metav1.ListMeta, error) {
	t.Helper()
	var all []*corev1.Pod
	meta, err := src.List(t.Context(), opts, func(item source.Delta[*corev1.Pod], err error) error {
		all = append(all, item.Object)
		return err
	})
	return all, meta, err
}

func names(all []*corev1.Pod) string {
	var out []string
	for _, p := range all {
		out = append(out, p.Name)
	}
	return strings.Join(out, " ")
}

// The interface of a typed client fits by shape, whatever is behind it.
func TestFakeClientset(t *testing.T) {
	for name, clientset := range map[string]*fake.Clientset{
		"simple":  fake.NewSimpleClientset(pod("a"), pod("b")),
		"managed": fake.NewClientset(pod("a"), pod("b")),
	} {
		t.Run(name, func(t *testing.T) {
			var client kubernetes.Interface = clientset
			src := source.FromClient(client.CoreV1().Pods("ns"), items)
			if !src.NoWatchList {
				t.Error("a fake is taken to support WatchList")
			}
			all, meta, err := collect(t, src, metav1.ListOptions{})
			if err != nil || names(all) != "a b" {
				t.Fatalf("%s, %v", names(all), err)
			}
			if selected, _, err := collect(t, src, metav1.ListOptions{LabelSelector: "app=b"}); err != nil ||
				names(selected) != "b" {
				t.Errorf("selected %s, %v", names(selected), err)
			}

			steps := []func(){
				func() { write(t, client.CoreV1().Pods("ns").Create)(pod("c"), metav1.CreateOptions{}) },
				func() {
					changed := pod("a")
					changed.Spec.NodeName = "node-1"
					write(t, client.CoreV1().Pods("ns").Update)(changed, metav1.UpdateOptions{})
				},
				func() {
					if err := client.CoreV1().Pods("ns").Delete(t.Context(), "b", metav1.DeleteOptions{}); err != nil {
						t.Error(err)
					}
				},
				nil,
			}
			var seen []string
			steps[0]() // between list and watch
			enough := errors.New("enough")
			err = src.Watch(t.Context(), metav1.ListOptions{ResourceVersion: meta.ResourceVersion},
				func(d source.Delta[*corev1.Pod], _ string, err error) error {
					if err != nil {
						return err
					}
					seen = append(seen, d.Type.String()+" "+d.Object.Name+" "+d.Object.Spec.NodeName)
					next := steps[len(seen)]
					if next == nil {
						return enough
					}
					next()
					return nil
				})
			if err != enough {
				t.Fatal(err)
			}
			if got := strings.Join(seen, ", "); got != "Added c , Updated a node-1, Deleted b " {
				t.Error(got)
			}
		})
	}
}

func write[T, O any](t *testing.T, call func(context.Context, T, O) (T, error)) func(T, O) {
	return func(obj T, opts O) {
		t.Helper()
		if _, err := call(t.Context(), obj, opts); err != nil {
			t.Error(err)
		}
	}
}

// both returns the two ways to read from one server: through client-go's real
// clientset, and through package wire with client-go's http.Client.
func both(t *testing.T, handler http.HandlerFunc) map[string]pods {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/prefix/api/v1/namespaces/ns/pods" ||
			r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("asked for %s with %v", r.URL, r.Header)
		}
		w.Header().Set("Content-Type", "application/json")
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	config := &rest.Config{Host: server.URL + "/prefix", BearerToken: "secret"}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	clientset, err := kubernetes.NewForConfigAndClient(config, client)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]pods{
		"clientset": source.FromClient(clientset.CoreV1().Pods("ns"), items),
		"wire": wire.Source[*corev1.Pod](
			wire.Conn{Client: client, BaseURL: config.Host},
			corev1.SchemeGroupVersion.WithResource("pods"),
			wire.InNamespace("ns"),
		),
	}
}

// richPod holds what decoders differ over: names in another case, unknown
// fields, quantities, times, bytes, integers or strings, nulls, escapes.
const richPod = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"rich","Name":"no","namespace":"ns","uid":"u-1","resourceVersion":"12",
"creationTimestamp":"2024-02-29T12:00:00Z","deletionTimestamp":null,"labels":{"app":"\u00fcber \ud83d\ude00 \ud800"},"annotations":{"a":"1","a":"2"},
"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u-2","controller":true}],
"managedFields":[{"manager":"kubelet","operation":"Update","time":"2024-02-29T12:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:phase":{ } }}}]},
"spec":{"nodeName":"n","NODENAME":"no","unknown":{"deep":[1,2,{"x":null}]},"terminationGracePeriodSeconds":30,"volumes":null,
"containers":[{"name":"c","image":"i","ports":[{"containerPort":80,"protocol":"TCP"}],"resources":{"limits":{"cpu":"100m","memory":1073741824}},
"livenessProbe":{"httpGet":{"port":"http"}},"readinessProbe":{"httpGet":{"port":8080}}}]},
"status":{"phase":"Running","startTime":"2024-02-29T13:00:00+01:00","conditions":[{"type":"Ready","status":"True","lastTransitionTime":null}]}}`

func TestBothReadTheSameObjects(t *testing.T) {
	sources := both(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") == "" {
			if got := r.URL.RawQuery; got != "labelSelector=app%3Dx&limit=5&resourceVersion=0" {
				t.Errorf("asked %s", got)
			}
			_, _ = io.WriteString(
				w,
				`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"99","continue":"more"},"items":[`+richPod+`,`+richPod+`]}`,
			)
			return
		}
		_, _ = io.WriteString(
			w,
			`{"type":"ADDED","object":`+richPod+`}{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"100","annotations":{"k8s.io/initial-events-end":"true"}}}}`,
		)
		_, _ = io.WriteString(
			w,
			`{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410,"message":"too old"}}`,
		)
	})
	listed, listMeta, err := collect(
		t,
		sources["clientset"],
		metav1.ListOptions{LabelSelector: "app=x", Limit: 5, ResourceVersion: "0"},
	)
	if err != nil || len(listed) != 2 {
		t.Fatalf("%d, %v", len(listed), err)
	}
	for name, src := range sources {
		if src.NoWatchList {
			t.Errorf("%s is taken not to support WatchList", name)
		}
		all, meta, err := collect(
			t,
			src,
			metav1.ListOptions{LabelSelector: "app=x", Limit: 5, ResourceVersion: "0"},
		)
		if err != nil || !equality.Semantic.DeepEqual(all, listed) ||
			!equality.Semantic.DeepEqual(meta, listMeta) {
			t.Errorf("%s: %+v, %+v, %v; want %+v", name, all[0], meta, err, listed[0])
		}
		last := src.Watch(t.Context(), metav1.ListOptions{ResourceVersion: "1"},
			func(d source.Delta[*corev1.Pod], version string, err error) error {
				switch {
				case err != nil:
					return err
				case d.Type == delta.Added:
					// A list and a watch return equal objects, TypeMeta included.
					if !equality.Semantic.DeepEqual(d.Object, listed[0]) || version != "12" {
						t.Errorf("%s: %+v at %s; want %+v", name, d.Object, version, listed[0])
					}
				case d.Type != delta.InitialEnd || version != "100":
					t.Errorf("%s: %+v at %s", name, d, version)
				}
				return nil
			})
		if !apierrors.IsResourceExpired(last) {
			t.Errorf("%s: %v", name, last)
		}
	}
}

func TestBothSayTheSameOfErrors(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"status": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods is forbidden","reason":"Forbidden","details":{"kind":"pods"},"code":403}`)
		},
		"nothing": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		"text": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, "Unauthorized")
		},
	} {
		t.Run(name, func(t *testing.T) {
			statuses := map[string]metav1.Status{}
			for name, src := range both(t, answer) {
				_, _, err := collect(t, src, metav1.ListOptions{})
				status, ok := errors.AsType[*apierrors.StatusError](err)
				if !ok {
					t.Fatalf("%s: %T: %v", name, err, err)
				}
				statuses[name] = status.Status()
				err = src.Watch(t.Context(), metav1.ListOptions{}, nil)
				if apierrors.ReasonForError(err) != status.Status().Reason {
					t.Errorf("%s: the list says %v, the watch %v", name, status, err)
				}
			}
			ours, theirs := statuses["wire"], statuses["clientset"]
			if ours.Reason != theirs.Reason || ours.Code != theirs.Code || ours.Status != theirs.Status {
				t.Errorf("%+v; client-go: %+v", ours, theirs)
			}
		})
	}
}
