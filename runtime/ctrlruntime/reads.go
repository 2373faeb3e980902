// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// IndexField of the embedded cache names indexes so, and puts the namespace of an object before each value, or
// anyNamespace.
const (
	fieldIndex   = "field:"
	anyNamespace = "__all_namespaces"
)

// Get implements client.Reader. In one of several namespaces, it waits for that one alone.
func (c *managedCache) Get(ctx context.Context, key client.ObjectKey, out client.Object, opts ...client.GetOption) error {
	i, err := c.EnsureSynced(ctx, &key.Namespace, out)
	if err != nil {
		return err
	}
	if i.ClusterScoped {
		key.Namespace = ""
	}
	obj, ok, err := i.GetIndexer().GetByKey(toolscache.ObjectName(key).String())
	if err != nil {
		return err
	}
	if !ok {
		return apierrors.NewNotFound(schema.GroupResource{Group: i.Kind.Group, Resource: i.Kind.Kind}, key.Name)
	}
	var options client.GetOptions
	options.ApplyOptions(opts)
	return i.Copies.Get(i.Object(obj.(metav1.Object)), out, options.UnsafeDisableDeepCopy)
}

// List implements client.Reader. Several fields are an intersection of indexes.
func (c *managedCache) List(ctx context.Context, out client.ObjectList, opts ...client.ListOption) error {
	var options client.ListOptions
	options.ApplyOptions(opts)
	var namespace *string
	if options.Namespace != "" {
		namespace = &options.Namespace
	}
	i, err := c.EnsureSynced(ctx, namespace, out)
	if err != nil {
		return err
	}
	terms, err := termsOf(&options)
	if err != nil {
		return err
	}
	found, err := clientgo.Find(i.GetIndexer(), options.LabelSelector, terms...)
	if err != nil {
		return fmt.Errorf("a field of %q of %s has no index: add it with IndexField of mgr.GetFieldIndexer(), or "+
			"with Add%sIndexes if that is emitted", options.FieldSelector, i.Kind.Kind, i.Kind.Kind)
	}
	var few [64]metav1.Object
	objs := few[:0]
	for obj := range found {
		if options.Limit > 0 && int64(len(objs)) == options.Limit {
			break
		}
		objs = append(objs, i.Object(obj))
	}
	return i.Copies.List(objs, out, options.UnsafeDisableDeepCopy)
}

// termsOf returns the conditions of options on indexes. Its errors are worded as those of controller-runtime's cache.
func termsOf(options *client.ListOptions) (terms []clientgo.Term, err error) {
	if options.Continue != "" {
		return nil, errors.New("continue list option is not supported by the cache")
	}
	if options.FieldSelector == nil {
		if options.Namespace != "" {
			terms = append(terms, clientgo.Term{Name: toolscache.NamespaceIndex, Value: options.Namespace})
		}
		return terms, nil
	}
	namespace := anyNamespace
	if options.Namespace != "" {
		namespace = options.Namespace
	}
	inexact := options.FieldSelector.Empty()
	for _, r := range options.FieldSelector.Requirements() {
		inexact = inexact || r.Operator != selection.Equals && r.Operator != selection.DoubleEquals
		terms = append(terms, clientgo.Term{Name: fieldIndex + r.Field, Value: namespace + "/" + r.Value})
	}
	if inexact {
		return nil, errors.New("non-exact field matches are not supported by the cache")
	}
	return terms, nil
}
