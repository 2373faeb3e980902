// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package realworld

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// clientset derives how the types of k8s.io/api are served from the URLs of client-go's
// clientset: every typed client that can list and watch gets an object. The clientset has
// the version of k8s.io/api that hack/go.mod requires.
func clientset(t *testing.T, m module, _ string) map[resource]serving {
	if !strings.Contains(
		run(t, ".", nil, "go", "list", "-m", m.path, "k8s.io/client-go"),
		m.version+"\nk8s.io/client-go "+m.version,
	) {
		t.Fatalf("hack/go.mod does not have %s and client-go at %s", m.path, m.version)
	}
	var asked []string
	config := &rest.Config{Host: "http://server", QPS: -1, Transport: transport(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.URL.Path)
		return nil, errors.New("this is no server")
	})}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	out := map[resource]serving{}
	groups := reflect.ValueOf(client)
	for i := range groups.NumMethod() {
		group := groups.Method(i).Type()
		if group.NumIn() != 0 || group.NumOut() != 1 || group.Out(0).Kind() != reflect.Interface {
			continue
		}
		if _, ok := group.Out(0).MethodByName("RESTClient"); !ok {
			continue // Discovery is one too, and has no types
		}
		kinds := groups.Method(i).Call(nil)[0].Elem()
		for j := range kinds.NumMethod() {
			typed, ok := typedClient(kinds.Method(j))
			if !ok {
				continue
			}
			get := typed.MethodByName("Get")
			before := len(asked)
			get.Call(
				[]reflect.Value{
					reflect.ValueOf(context.Background()),
					reflect.ValueOf("name"),
					reflect.ValueOf(metav1.GetOptions{}),
				},
			)
			if len(asked) != before+1 {
				t.Fatalf("%s asked the server for %v", typed.Type(), asked[before:])
			}
			r, how, ok := parseURL(asked[before])
			if !ok {
				t.Fatalf("the URL %s is unlike others", asked[before])
			}
			r.kind = get.Type().Out(0).Elem().Name()
			out[r] = serving{how, true}
		}
	}
	return out
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// typedClient calls what returns the client of a type, like Pods or Nodes. ok is
// false for others, and for clients that cannot get, list and watch.
func typedClient(method reflect.Value) (client reflect.Value, ok bool) {
	mt := method.Type()
	if mt.NumOut() != 1 || mt.Out(0).Kind() != reflect.Interface {
		return client, false
	}
	for _, verb := range []string{"Get", "List", "Watch"} {
		if _, ok := mt.Out(0).MethodByName(verb); !ok {
			return client, false
		}
	}
	var args []reflect.Value
	if mt.NumIn() == 1 && mt.In(0).Kind() == reflect.String {
		args = append(args, reflect.ValueOf("namespace"))
	}
	if len(args) != mt.NumIn() {
		return client, false
	}
	return method.Call(args)[0], true
}

// parseURL reads /api/v1/namespaces/namespace/pods/name and
// /apis/apps/v1/namespaces/namespace/deployments/name, and the same without a
// namespace.
func parseURL(path string) (r resource, how string, ok bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case parts[0] == "api":
		parts = append([]string{""}, parts[1:]...)
	case parts[0] == "apis":
		parts = parts[1:]
	default:
		return r, "", false
	}
	if len(parts) < 4 || parts[len(parts)-1] != "name" {
		return r, "", false
	}
	r.group, r.version = parts[0], parts[1]
	switch rest := parts[2 : len(parts)-1]; {
	case len(rest) == 1:
		return r, rest[0] + ", Cluster", true
	case len(rest) == 3 && rest[0] == "namespaces":
		return r, rest[2] + ", Namespaced", true
	}
	return r, "", false
}
