// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/internal/sharding"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

// In returns a source of the server's objects in one namespace, or in all if that is
// "".
func (s *Server[T]) In(namespace string) source.Source[T] {
	return source.Source[T]{ListerWatcher: inNamespace[T]{s, namespace}}
}

// Source returns a source of all objects of the server.
func (s *Server[T]) Source() source.Source[T] { return source.Source[T]{ListerWatcher: s} }

type inNamespace[T metav1.Object] struct {
	*Server[T]
	namespace string
}

// List implements source.ListerWatcher.
func (s inNamespace[T]) List(
	ctx context.Context, opts metav1.ListOptions, each func(d source.Delta[T], err error) error,
) (metav1.ListMeta, error) {
	return s.listIn(ctx, s.namespace, opts, each)
}

// Watch implements source.ListerWatcher.
func (s inNamespace[T]) Watch(
	ctx context.Context, opts metav1.ListOptions, each sender[T],
) error {
	return s.watchIn(ctx, s.namespace, opts, each)
}

// scope selects the objects of a request.
type scope struct {
	namespace string
	selector  labels.Selector
	fields    fields.Selector // of name and namespace
	shard     *shard.Range    // nil: not divided
}

func (s *Server[T]) scopeOf(namespace string, opts metav1.ListOptions) (sc scope, err error) {
	sc.namespace = namespace
	if sc.selector, err = labels.Parse(opts.LabelSelector); err != nil {
		return sc, apierrors.NewBadRequest(err.Error())
	}
	if sc.fields, err = fields.ParseSelector(opts.FieldSelector); err != nil {
		return sc, apierrors.NewBadRequest(err.Error())
	}
	for _, r := range sc.fields.Requirements() {
		if r.Field != "metadata.name" && r.Field != "metadata.namespace" {
			return sc, apierrors.NewBadRequest("field label not supported: " + r.Field +
				" (runtimetest.Server supports metadata.name and metadata.namespace)")
		}
	}
	if text := sharding.Selector(opts); text != "" && !s.NoShards {
		r := rangeOf(text)
		if r.Selector() != text {
			return sc, apierrors.NewBadRequest("runtimetest.Server supports the selectors of shard.Range, not " + text)
		}
		sc.shard = &r
	}
	return sc, nil
}

// rangeOf returns the range whose Selector is text.
func rangeOf(text string) (r shard.Range) {
	parts := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("(), '", c) })
	if len(parts) != 4 {
		return r
	}
	r.Field = shard.Field(parts[1])
	r.First, _ = strconv.ParseUint(parts[2], 0, 64)
	end, err := strconv.ParseUint(parts[3], 0, 64)
	if r.Last = end - 1; err != nil { // 2^64
		r.Last = math.MaxUint64
	}
	return r
}

func (s scope) has(obj metav1.Object) bool {
	return (s.namespace == metav1.NamespaceAll || s.namespace == obj.GetNamespace()) &&
		s.selector.Matches(labels.Set(obj.GetLabels())) &&
		s.fields.Matches(fields.Set{"metadata.name": obj.GetName(), "metadata.namespace": obj.GetNamespace()}) &&
		(s.shard == nil || s.shard.Contains(obj))
}
