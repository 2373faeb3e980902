// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// clientMethods names the methods of a clientset of client-gen that lead to the typed client of a resource.
type clientMethods struct {
	group, resource string // CoreV1, Pods
	namespaced      bool
}

// findClient finds the typed client for objects of the given type. clientset is an interface.
func findClient(clientset, object reflect.Type) (clientMethods, error) {
	if clientset.Kind() == reflect.Interface {
		for group := range clientset.Methods() {
			if !leads(group.Type, 0) {
				continue
			}
			for resource := range group.Type.Out(0).Methods() {
				namespaced := leads(resource.Type, 1) && resource.Type.In(0).Kind() == reflect.String
				if (namespaced || leads(resource.Type, 0)) && serves(resource.Type.Out(0), object) {
					return clientMethods{group.Name, resource.Name, namespaced}, nil
				}
			}
		}
	}
	return clientMethods{}, fmt.Errorf("%v has no client that gets, lists and watches %v: pass a function to the "+
		"factory's InformerFor that returns NewSharedIndexInformer", clientset, object)
}

// leads reports whether a method has the given number of parameters and returns one interface.
func leads(method reflect.Type, parameters int) bool {
	return method.NumIn() == parameters && method.NumOut() == 1 && method.Out(0).Kind() == reflect.Interface
}

// serves reports whether a typed client gets, lists and watches objects of the given type.
func serves(client, object reflect.Type) bool {
	get, gets := client.MethodByName("Get")
	list, lists := client.MethodByName("List")
	return gets && get.Type.NumOut() == 2 && get.Type.Out(0) == object &&
		lists && list.Type.NumIn() == 2 && list.Type.In(1) == reflect.TypeFor[metav1.ListOptions]() &&
		client.Implements(reflect.TypeFor[watcher]())
}

type watcher interface {
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
}

// of returns the typed client of a clientset. The namespace is that of its requests, if the resource has
// namespaces.
func (m clientMethods) of(clientset any, namespace string) source.Client[runtime.Object] {
	var arguments []reflect.Value
	if m.namespaced {
		arguments = append(arguments, reflect.ValueOf(namespace))
	}
	group := reflect.ValueOf(clientset).MethodByName(m.group).Call(nil)[0]
	client := group.MethodByName(m.resource).Call(arguments)[0]
	return typedClient{client.Interface().(watcher), client.MethodByName("List")}
}

// typedClient is a typed client whose type is found at run time.
type typedClient struct {
	watcher
	list reflect.Value
}

// List calls the method of the typed client.
func (c typedClient) List(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	results := c.list.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(opts)})
	err, _ := results[1].Interface().(error)
	list, _ := results[0].Interface().(runtime.Object)
	return list, err
}

// IsWatchListSemanticsUnSupported is the method by which fakes are recognized.
func (c typedClient) IsWatchListSemanticsUnSupported() bool { return source.IsFake(c.watcher) }
