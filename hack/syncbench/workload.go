// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net/http"
	"path/filepath"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/pod"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/widget"
)

// workload is what the clients read.
type workload struct {
	clients  string // the directory of their programs
	server   apiserver.Options
	path     string // of the list of all objects
	encoding encoding
	configs  []config
	columns  []column
	goals    []goal
	// setup are requests before any object is created.
	setup []request
	// object returns the requests that create the i-th object.
	object func(i int) []request
	// key returns the name of the i-th object.
	key func(i int) (namespace, name string)
	// advance creates an object of another type, which advances etcd's revision.
	advance request
}

// request is a request that creates or changes an object.
type request struct {
	method, path string
	body         []byte
}

// widgets are custom resources.
func widgets() workload {
	root := "/apis/" + widget.GroupVersion.String()
	return workload{
		clients: "widgets",
		server:  apiserver.Options{CRDs: []string{filepath.Join(source(), "crd")}},
		path:    root + "/widgets", encoding: jsonEncoding(widget.GroupVersion.WithKind("Widget")),
		configs: widgetConfigs(), columns: columns(), goals: widgetGoals(), key: widget.Key,
		object: func(i int) []request {
			namespace, _ := widget.Key(i)
			return []request{
				{http.MethodPost, root + "/namespaces/" + namespace + "/widgets", widget.Make(i)},
			}
		},
		advance: request{http.MethodPost, root + "/tides", fmt.Appendf(nil,
			`{"apiVersion":%q,"kind":"Tide","metadata":{"generateName":"tide-"}}`, widget.GroupVersion)},
	}
}

// factories read Pods, each through a SharedInformerFactory of client-go.
func factories() workload {
	w := pods()
	w.clients, w.configs, w.columns, w.goals = "factory", factoryConfigs(), factoryColumns(), factoryGoals()
	return w
}

// pods are built-in objects, from a whole kube-apiserver. As in a cluster, the kubelet writes their
// status.
func pods() workload {
	w := workload{
		clients: "pods",
		server: apiserver.Options{
			Kubernetes: true, Flags: []string{"--disable-admission-plugins=ServiceAccount"},
		},
		path: "/api/v1/pods", encoding: protobufEncoding(),
		configs: podConfigs(), columns: columns(), goals: podGoals(), key: pod.Key,
		object: func(i int) []request {
			namespace, name := pod.Key(i)
			all, text := "/api/v1/namespaces/"+namespace+"/pods", pod.Make(i)
			return []request{
				{http.MethodPost, all + "?fieldManager=kube-controller-manager", text},
				{http.MethodPut, all + "/" + name + "/status?fieldManager=kubelet", text},
			}
		},
		advance: request{http.MethodPost, "/api/v1/namespaces/default/configmaps",
			[]byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"tide-"}}`)},
	}
	for i := range pod.Namespaces {
		namespace, _ := pod.Key(i)
		w.setup = append(w.setup, request{http.MethodPost, "/api/v1/namespaces", fmt.Appendf(nil,
			`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, namespace)})
	}
	return w
}
