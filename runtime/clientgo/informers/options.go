// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informers

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// SharedInformerOption configures a factory.
type SharedInformerOption func(*options)

type options struct {
	clientgo.InformerOptions
	own []informers.SharedInformerOption // of client-go's factory
}

// WithNamespace restricts the informers to a namespace.
func WithNamespace(namespace string) SharedInformerOption {
	return func(o *options) {
		o.Namespace = namespace
		o.own = append(o.own, informers.WithNamespace(namespace))
	}
}

// WithTweakListOptions calls tweak with the options of each list and watch.
func WithTweakListOptions(tweak func(*metav1.ListOptions)) SharedInformerOption {
	return func(o *options) {
		o.TweakListOptions = tweak
		o.own = append(o.own, informers.WithTweakListOptions(tweak))
	}
}

// WithTransform passes the objects of all informers through transform.
func WithTransform(transform cache.TransformFunc) SharedInformerOption {
	return func(o *options) { o.own = append(o.own, informers.WithTransform(transform)) }
}

// WithCustomResyncConfig sets the resync periods of some types.
func WithCustomResyncConfig(periods map[metav1.Object]time.Duration) SharedInformerOption {
	return func(o *options) { o.own = append(o.own, informers.WithCustomResyncConfig(periods)) }
}

// WithInformerName names the informers in client-go's metrics, from client-go 0.37 on. They publish their
// resourceVersion once a second.
func WithInformerName(name *cache.InformerName) SharedInformerOption {
	return func(o *options) { o.own = append(o.own, informers.WithInformerName(name)) }
}
