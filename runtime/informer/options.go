// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"log/slog"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Option configures an informer. Options do not depend on the type of the objects, so that all
// informers of a factory can share them.
type Option func(*options)

type options struct {
	name         string
	errorHandler func(error)
	batchSize    int
	reflector    reflector.Settings
	logger       *slog.Logger
	store        []store.Option
}

// WithName names the informer in errors, statistics and logs. Use it for several informers of one
// resource.
func WithName(name string) Option { return func(o *options) { o.name = name } }

// WithStore creates the store of an emitted informer with opts. [New] does not use it: its caller creates the
// store.
func WithStore(opts ...store.Option) Option {
	return func(o *options) { o.store = append(o.store, opts...) }
}

// StoreOptions returns what WithStore set. Emitted code calls it.
func StoreOptions(opts []Option) []store.Option {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	return o.store
}

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
//	debug  listing: op, resourceVersion
//	debug  watching: resourceVersion
//	debug  watch ended: resourceVersion, reason (see reflector.Reason), events, lasted, error
//	info   listed: op, resourceVersion, objects, took
//	info   listing again: op, resourceVersion, reason, error
//	info   absent: the server does not serve the type
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
