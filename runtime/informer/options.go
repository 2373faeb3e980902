// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"fmt"
	"log/slog"
	"reflect"
	"slices"

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
	transforms   []any          // func(T) (T, error) for any T, or func(metav1.Object) error
	transformed  []reflect.Type // the T of WithTransform
	types        []reflect.Type // of WithTypes
	reflector    reflector.Settings
	logger       *slog.Logger
}

// WithName names the informer in errors, statistics and logs. Use it for several informers of one
// resource.
func WithName(name string) Option { return func(o *options) { o.name = name } }

// WithReflector sets how the informer lists, watches and retries: selectors, page size, timeouts,
// backoff. The last one counts.
func WithReflector(s reflector.Settings) Option { return func(o *options) { o.reflector = s } }

// WithErrorHandler calls handle with every error of the informer as an *Error: errors of the
// server, objects that cannot be decoded, and panics of handlers. Without an error handler, a
// panic of a handler ends the program. handle is called concurrently and under no lock. Its
// caller waits for it, so it must not wait for the informer. A panic of handle ends the program.
func WithErrorHandler(handle func(error)) Option {
	return func(o *options) { o.errorHandler = handle }
}

// WithLogger logs the informer's activity to logger. Each record has the attribute "resource",
// "informer" if the informer has a name, and "source" if its source has parts, such as namespaces. Without this
// option nothing is logged.
//
//	debug  listing, watching: op, resourceVersion
//	debug  watch ended: resourceVersion, reason (see reflector.Reason), events, lasted, error
//	info   listed: op, resourceVersion, objects, took
//	info   listing again: op, resourceVersion, reason, error
//	info   no watch list: the server cannot stream lists; always, error
//	info   handler no longer blocks the informer: handler, pending, for
//	warn   error: the errors that the error handler gets, without panics; error, op, reason,
//	       object, wait until the next attempt
//	warn   source went backward: resourceVersion
//	warn   handler blocks the informer for 5 seconds or longer: handler, pending, for
//	error  error: a handler panicked; error, stack
//
// A watch that the server ends is not an error.
//
// A logger does not replace the error handler: without that, a panic of a handler still ends the
// program. logger is called by several goroutines, under no lock, and delays them.
func WithLogger(logger *slog.Logger) Option { return func(o *options) { o.logger = logger } }

// WithBatchSize limits the changes that are applied to the store at once; 0 means
// 1000. A list is applied as a whole. Twice as many changes may be pending.
func WithBatchSize(n int) Option { return func(o *options) { o.batchSize = n } }

// WithTransform replaces each object of type T with the result of f as soon as it is decoded. Use
// it to drop fields that the program does not read. f must keep namespace, name and resourceVersion.
// It must be safe for concurrent use if several informers have it. If f returns an error, nil or an
// object of another name, or panics, the object counts as one that cannot be decoded. Run returns an
// error if neither the informer nor [WithTypes] has type T. An informer of another type ignores f.
func WithTransform[T metav1.Object](f func(T) (T, error)) Option {
	return func(o *options) {
		o.transforms = append(o.transforms, f)
		o.transformed = append(o.transformed, reflect.TypeFor[T]())
	}
}

// WithTypes lists, as nil pointers, the types of all informers that share the options. WithTransform may
// name each of them. Emitted factories pass it.
func WithTypes(types ...metav1.Object) Option {
	return func(o *options) {
		for _, t := range types {
			o.types = append(o.types, reflect.TypeOf(t))
		}
	}
}

// WithTransformAny is WithTransform for objects of every type: f modifies the object in place. f may
// replace the FieldsV1 of managedFields, but must not modify its bytes, which objects share.
func WithTransformAny(f func(metav1.Object) error) Option {
	return func(o *options) { o.transforms = append(o.transforms, f) }
}

// validate returns an error if a transform applies to no informer that shares the options of an informer of
// type T.
func validate[T metav1.Object](o *options) error {
	types := o.types
	if own := reflect.TypeFor[T](); !slices.Contains(types, own) {
		types = append(slices.Clip(types), own)
	}
	for _, t := range o.transformed {
		if !slices.Contains(types, t) {
			return fmt.Errorf("WithTransform of %v applies to no informer with these options, of %v: pass it to the "+
				"informer of its type, or list the types of informers that share options with WithTypes", t, types)
		}
	}
	return nil
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
