// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// FromClient returns a source of the objects in namespace, or of all objects if namespace is "". It reads
// through c: a client of client.NewWithWatch, or a fake client of controller-runtime. items returns the
// objects of a list:
//
//	items := func(l *v1.CronJobList) []v1.CronJob { return l.Items }
//	informers := v1.NewInformers(v1.InformerSources{CronJobs: ctrlruntime.FromClient(c, "", items)})
//
// Use it in tests with a fake client. With a server, package wire needs less CPU and memory.
//
// The source sends no WatchLists, because fake clients never complete them. Watches of the fake clients
// ignore selectors. They also start with the next change: an object that is created between the list
// and the watch of an informer is missed, so create objects before the informer runs, or once Doing of its
// Stats is "watching".
func FromClient[E any, T interface {
	*E
	client.Object
}, LE any, L interface {
	*LE
	client.ObjectList
}](c client.WithWatch, namespace string, items func(L) []E) source.Source[T] {
	src := source.FromClient[E, T](listClient[LE, L]{c, namespace}, items)
	src.NoWatchList = true
	return src
}

// listClient is a source.Client of one type and namespace.
type listClient[LE any, L interface {
	*LE
	client.ObjectList
}] struct {
	client    client.WithWatch
	namespace string
}

// List implements source.Client.
func (c listClient[LE, L]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	list := L(new(LE))
	options, err := c.options(opts)
	if err != nil {
		return nil, err
	}
	return list, c.client.List(ctx, list, options)
}

// Watch implements source.Client.
func (c listClient[LE, L]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	options, err := c.options(opts)
	if err != nil {
		return nil, err
	}
	return c.client.Watch(ctx, L(new(LE)), options)
}

// options returns opts for a client. Raw alone is not enough: fake clients do not read it, and other
// clients overwrite some of its fields.
func (c listClient[LE, L]) options(opts metav1.ListOptions) (*client.ListOptions, error) {
	options := &client.ListOptions{Namespace: c.namespace, Limit: opts.Limit, Continue: opts.Continue, Raw: &opts}
	var err error
	if opts.LabelSelector != "" {
		if options.LabelSelector, err = labels.Parse(opts.LabelSelector); err != nil {
			return nil, err
		}
	}
	if opts.FieldSelector != "" {
		options.FieldSelector, err = fields.ParseSelector(opts.FieldSelector)
	}
	return options, err
}
