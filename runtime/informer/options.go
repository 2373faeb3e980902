// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"log/slog"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Option configures an informer, of whatever type its objects are: one list of
// options serves all informers of a factory.
type Option func(*options)

type options struct {
	name         string
	errorHandler func(error)
	batchSize    int
	transforms   []any // func(T) (T, error) for any T, or func(metav1.Object) error
	reflector    reflector.Options[struct{}]
	logger       *slog.Logger
	metrics      *metrics.Set
	shards       *shard.Set
}

// WithName names the informer in its errors, beside its resource: for several
// informers of one resource.
func WithName(name string) Option { return func(o *options) { o.name = name } }

// WithLabelSelector restricts the informer to objects whose labels selector selects.
func WithLabelSelector(selector string) Option {
	return func(o *options) { o.reflector.LabelSelector = selector }
}

// WithFieldSelector restricts the informer to objects whose fields selector selects.
// Which fields may be named is up to the server.
func WithFieldSelector(selector string) Option {
	return func(o *options) { o.reflector.FieldSelector = selector }
}

// WithShards has the informer hold what belongs to one of shards, which may be changed while
// it runs. It concerns the source that the informer is made with; a source that is added
// is wrapped in shard.Source or shard.Only for that.
func WithShards(shards *shard.Set) Option {
	return func(o *options) { o.shards = shards }
}

// WithErrorHandler has handle told of every error of the informer, as an *Error: what
// the server answered, objects that cannot be decoded, handlers that panic (which
// crash the program if there is no error handler). It is called under no lock, several
// calls at once, and what has met the error waits for it: it must not wait for the
// informer. A panic in it ends the program.
func WithErrorHandler(handle func(error)) Option {
	return func(o *options) { o.errorHandler = handle }
}

// WithPageSize sets how many objects a list request asks for. The first list comes in pages
// only with WithConsistentList; see reflector.Options.PageSize.
func WithPageSize(n int64) Option { return func(o *options) { o.reflector.PageSize = n } }

// WithListLimits bounds the pages and the objects of one list; 0 means the default. See
// reflector.Options.MaxPages.
func WithListLimits(pages, objects int) Option {
	return func(o *options) { o.reflector.MaxPages, o.reflector.MaxObjects = pages, objects }
}

// WithWatchList turns streaming of the initial objects on, which is the default, or
// off; see reflector.Options.NoWatchList.
func WithWatchList(on bool) Option { return func(o *options) { o.reflector.NoWatchList = !on } }

// WithWatchListAttempts sets how many attempts at streaming the initial objects may
// fail before the informer lists, and for how long each may receive nothing; see
// reflector.Options.
func WithWatchListAttempts(n int, stall time.Duration) Option {
	return func(o *options) { o.reflector.WatchListAttempts, o.reflector.WatchListStall = n, stall }
}

// WithListStall sets for how long a list request may bring neither an object nor 64 KiB before
// the informer cancels it and tries again; 0 means reflector.DefaultListStall, which is 5
// minutes. A list that stalls for 30 s is reported before that: by Progress, by WaitForSync,
// and once to the error handler. Less than a minute cuts off the retries that clients of
// client-go make within one request.
func WithListStall(d time.Duration) Option { return func(o *options) { o.reflector.ListStall = d } }

// WithWatchTimeout sets after what time at least the server is asked to end a watch.
func WithWatchTimeout(d time.Duration) Option {
	return func(o *options) { o.reflector.WatchTimeout = d }
}

// WithConsistentList has the first list be as new as etcd rather than as the server's
// cache.
func WithConsistentList() Option { return func(o *options) { o.reflector.Consistent = true } }

// WithBackoff sets how long the informer waits after failures.
func WithBackoff(b reflector.Backoff) Option { return func(o *options) { o.reflector.Backoff = b } }

// WithBatchSize sets how many changes are applied to the store at once, at most, a
// list aside; 0 means queue.DefaultBatchSize. Twice as many may be waiting.
func WithBatchSize(n int) Option { return func(o *options) { o.batchSize = n } }

// WithTransform has f replace each object of type T as soon as it is decoded, usually
// by one without what nobody here reads. Informers of other types ignore it. f must
// not change namespace, name and resourceVersion; it must be safe for concurrent use
// if several informers have it. An object for which it fails or panics, or
// returns nil or an object of another name, is treated as one that cannot be decoded.
func WithTransform[T metav1.Object](f func(T) (T, error)) Option {
	return func(o *options) { o.transforms = append(o.transforms, f) }
}

// WithEdit is WithTransform for objects of every type: f edits the object itself,
// which belongs to nobody else yet (of an entry of managedFields it may replace the
// FieldsV1, not edit the bytes: other objects share them).
func WithEdit(f func(metav1.Object) error) Option {
	return func(o *options) { o.transforms = append(o.transforms, f) }
}

// transformOf returns the transforms that apply to objects of type T as one, nil if
// there are none.
func transformOf[T metav1.Object](all []any) func(T) (T, error) {
	var steps []func(T) (T, error)
	for _, f := range all {
		switch f := f.(type) {
		case func(T) (T, error):
			steps = append(steps, f)
		case func(metav1.Object) error:
			steps = append(steps, func(obj T) (T, error) { return obj, f(obj) })
		}
	}
	if len(steps) == 0 {
		return nil
	}
	return func(obj T) (T, error) {
		for _, step := range steps {
			var err error
			if obj, err = step(obj); err != nil {
				return obj, err
			}
		}
		return obj, nil
	}
}

// reflectorOptions returns what o says to a reflector of objects of type T.
func reflectorOptions[T metav1.Object](o *options) reflector.Options[T] {
	r := o.reflector
	return reflector.Options[T]{
		LabelSelector: r.LabelSelector, FieldSelector: r.FieldSelector,
		Consistent: r.Consistent, PageSize: r.PageSize, MaxPages: r.MaxPages, MaxObjects: r.MaxObjects,
		WatchTimeout: r.WatchTimeout, NoWatchList: r.NoWatchList,
		WatchListAttempts: r.WatchListAttempts, WatchListStall: r.WatchListStall,
		ListStall: r.ListStall, Backoff: r.Backoff, Transform: transformOf[T](o.transforms),
	}
}
