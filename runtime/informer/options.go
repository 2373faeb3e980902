// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"log/slog"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Option configures an informer. Options do not depend on the type of the objects, so that all
// informers of a factory can share them.
type Option func(*options)

type options struct {
	name         string
	errorHandler func(error)
	batchSize    int
	transforms   []any // func(T) (T, error) for any T, or func(metav1.Object) error
	reflector    reflector.Options[struct{}]
	logger       *slog.Logger
}

// WithName names the informer in errors, statistics and logs. Use it for several informers of one
// resource.
func WithName(name string) Option { return func(o *options) { o.name = name } }

// WithLabelSelector restricts the informer to objects whose labels match selector.
func WithLabelSelector(selector string) Option {
	return func(o *options) { o.reflector.LabelSelector = selector }
}

// WithFieldSelector restricts the informer to objects whose fields match selector. The server
// decides which fields it supports.
func WithFieldSelector(selector string) Option {
	return func(o *options) { o.reflector.FieldSelector = selector }
}

// WithErrorHandler calls handle with every error of the informer as an *Error: errors of the
// server, objects that cannot be decoded, and panics of handlers. Without an error handler, a
// panic of a handler ends the program. handle is called concurrently and under no lock. Its
// caller waits for it, so it must not wait for the informer. A panic of handle ends the program.
func WithErrorHandler(handle func(error)) Option {
	return func(o *options) { o.errorHandler = handle }
}

// WithPageSize sets the number of objects per list request. The first list has pages only with
// WithConsistentList; see reflector.Options.PageSize.
func WithPageSize(n int64) Option { return func(o *options) { o.reflector.PageSize = n } }

// WithListLimits limits the pages and the objects of one list; 0 means the default. See
// reflector.Options.MaxPages.
func WithListLimits(pages, objects int) Option {
	return func(o *options) { o.reflector.MaxPages, o.reflector.MaxObjects = pages, objects }
}

// WithWatchList turns WatchLists, which stream the initial objects, on or off. The default is on.
// Turn them off if the source never completes one, as most fake clients; see source.WatchLister.
// Otherwise the informer lists after the attempts of WithWatchListAttempts have failed.
func WithWatchList(on bool) Option { return func(o *options) { o.reflector.NoWatchList = !on } }

// WithWatchListAttempts sets the number of failed WatchLists after which the informer lists, and how
// long a WatchList may stall; see reflector.Options.
func WithWatchListAttempts(n int, stall time.Duration) Option {
	return func(o *options) { o.reflector.WatchListAttempts, o.reflector.WatchListStall = n, stall }
}

// WithListStall sets how long a list request may receive neither an object nor 64 KiB before the
// informer cancels and retries it; 0 means reflector.DefaultListStall, 5 minutes. A list that stalls
// for 30 s is reported by Progress and WaitForSync, and once to the error handler. Less than a minute
// interrupts the retries that client-go's clients make within one request.
func WithListStall(d time.Duration) Option { return func(o *options) { o.reflector.ListStall = d } }

// WithWatchTimeout sets the minimum time after which the server ends a watch.
func WithWatchTimeout(d time.Duration) Option {
	return func(o *options) { o.reflector.WatchTimeout = d }
}

// WithConsistentList reads the first list from etcd instead of the server's cache.
func WithConsistentList() Option { return func(o *options) { o.reflector.Consistent = true } }

// WithBackoff sets the waits after failures.
func WithBackoff(b reflector.Backoff) Option { return func(o *options) { o.reflector.Backoff = b } }

// WithBatchSize limits the changes that are applied to the store at once; 0 means
// queue.DefaultBatchSize. A list is applied as a whole. Twice as many changes may be pending.
func WithBatchSize(n int) Option { return func(o *options) { o.batchSize = n } }

// WithTransform replaces each object of type T with the result of f as soon as it is decoded. Use
// it to drop fields that the program does not read. Informers of other types ignore it. f must keep
// namespace, name and resourceVersion. It must be safe for concurrent use if several informers have
// it. If f returns an error, nil or an object of another name, or panics, the object counts as one
// that cannot be decoded.
func WithTransform[T metav1.Object](f func(T) (T, error)) Option {
	return func(o *options) { o.transforms = append(o.transforms, f) }
}

// WithTransformAny is WithTransform for objects of every type: f modifies the object in place. f may
// replace the FieldsV1 of managedFields, but must not modify its bytes, which objects share.
func WithTransformAny(f func(metav1.Object) error) Option {
	return func(o *options) { o.transforms = append(o.transforms, f) }
}

// transformOf combines the transforms for objects of type T. It returns nil if there are none.
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

// reflectorOptions returns the options of a reflector.
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
