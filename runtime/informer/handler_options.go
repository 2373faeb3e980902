// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import "time"

// DefaultBuffer is how many changes may wait for a handler before the informer does.
const DefaultBuffer = 1024

// HandlerOption configures one handler.
type HandlerOption func(*handlerOptions)

type handlerOptions struct {
	name     string
	buffer   int
	coalesce bool
	resync   time.Duration
}

func handlerOptionsOf(opts []HandlerOption) (o handlerOptions) {
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// WithHandlerName names the handler in errors, metrics and logs.
func WithHandlerName(name string) HandlerOption { return func(o *handlerOptions) { o.name = name } }

// WithBuffer sets how many changes may wait for the handler, DefaultBuffer if n is 0.
// When more do, the informer waits before it reads on, and with it the store and all
// other handlers. What comes at once may exceed n once. What a list has brought does not
// count, for it is bounded by the number of objects, unless an earlier list waits too.
func WithBuffer(n int) HandlerOption { return func(o *handlerOptions) { o.buffer = n } }

// WithCoalescing has the handler never make anyone wait: of what happens to an object
// while it is busy elsewhere, it is told only the outcome. At most one entry waits for
// each object that exists, and for each that was deleted since it was told of it.
func WithCoalescing() HandlerOption { return func(o *handlerOptions) { o.coalesce = true } }

// WithResync has the handler be told of every object again, as an update from itself
// to itself, each time period has passed. Nothing is read from the server for that;
// it is for handlers that depend on more than the objects. The next replay does not
// begin before the last has been delivered.
func WithResync(period time.Duration) HandlerOption {
	return func(o *handlerOptions) { o.resync = period }
}
