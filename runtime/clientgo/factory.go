// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// InformerOptions says which objects an informer of a factory mirrors. The zero value mirrors all.
type InformerOptions struct {
	Namespace        string                    // of the factory; all if empty
	TweakListOptions func(*metav1.ListOptions) // of the factory; may be nil
	// Resource names the informer in errors and metrics. It is optional.
	Resource schema.GroupVersionResource
}

// InformerFor makes the informer of one type in a factory of informer-gen, and returns it. It finds the client
// of the type in the factory's clientset:
//
//	foos, err := clientgo.InformerFor(factory, &v1alpha1.Foo{}, clientgo.InformerOptions{})
//
// Call it before anything else requests the informer. The resync periods and the transform of the factory apply.
// For the types of Kubernetes, package informers does this by itself.
//
// InformerFor returns an error if the clientset has no client of the type, or if the factory has a namespace or a
// function for list options that opts lacks. It cannot look into a factory that is wrapped in another. If the
// factory already has another informer of the type, InformerFor returns it with an error.
func InformerFor[C any, N ~func(C, time.Duration) cache.SharedIndexInformer](factory interface {
	InformerFor(example runtime.Object, newFunc N) cache.SharedIndexInformer
}, example runtime.Object, opts InformerOptions) (cache.SharedIndexInformer, error) {
	if err := compare(reflect.ValueOf(factory), opts); err != nil {
		return nil, fmt.Errorf("informer of %T: %w", example, err)
	}
	methods, err := findClient(reflect.TypeFor[C](), reflect.TypeOf(example))
	if err != nil {
		return nil, err
	}
	i := factory.InformerFor(example, func(clientset C, resync time.Duration) cache.SharedIndexInformer {
		lw := ListWatch(methods.of(clientset, opts.Namespace), opts.TweakListOptions)
		if opts.Resource.Empty() {
			return NewSharedIndexInformer(lw, example, resync, byNamespace())
		}
		i := NewInformer(opts.Resource, sourceOf(lw, example), example, resync, byNamespace())
		if named, ok := factory.(interface{ InformerName() *cache.InformerName }); ok {
			i.(own).publish(named.InformerName().WithResource(opts.Resource))
		}
		return i
	})
	_, err = ownOf(i)
	return i, err
}

// byNamespace returns the index that client-go's listers need.
func byNamespace() cache.Indexers {
	return cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
}

// compare returns an error if a factory has a namespace or a function for list options that opts lacks. The
// fields are private, so that functions cannot be compared, only seen.
func compare(factory reflect.Value, opts InformerOptions) error {
	for factory.Kind() == reflect.Interface || factory.Kind() == reflect.Pointer {
		factory = factory.Elem()
	}
	if factory.Kind() != reflect.Struct {
		return nil
	}
	namespace, tweak := factory.FieldByName("namespace"), factory.FieldByName("tweakListOptions")
	if namespace.Kind() == reflect.String && namespace.String() != opts.Namespace {
		return fmt.Errorf("the factory has the namespace %q and InformerOptions has %q: pass the namespace to both",
			namespace, opts.Namespace)
	}
	if tweak.Kind() == reflect.Func && tweak.IsNil() != (opts.TweakListOptions == nil) {
		return errors.New("only one of the factory and InformerOptions has TweakListOptions: pass the function to both")
	}
	return nil
}
