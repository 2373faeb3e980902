// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import "time"

// DefaultBuffer is the number of pending changes at which the informer waits for a handler.
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

// WithBuffer sets how many changes may be pending for the handler; 0 means DefaultBuffer. If more
// are pending, the informer waits, and with it the store and all other handlers. The last batch
// may exceed n. The changes of one list do not count, because the number of objects bounds them.
func WithBuffer(n int) HandlerOption { return func(o *handlerOptions) { o.buffer = n } }

// WithCoalescing merges the pending changes of each object, so that the handler gets only the
// outcome and never delays others. At most one entry is pending for each existing object, and
// for each deleted object that the handler was notified of.
func WithCoalescing() HandlerOption { return func(o *handlerOptions) { o.coalesce = true } }

// WithResync notifies the handler of every object again each period, as an update with the same
// object twice. It is a replay from the store and sends no request. Use it for handlers that
// depend on other state. A resync starts only when the last one has been delivered.
func WithResync(period time.Duration) HandlerOption {
	return func(o *handlerOptions) { o.resync = period }
}
