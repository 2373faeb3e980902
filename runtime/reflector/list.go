// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// list reads everything that exists.
func (r *Reflector[T]) list(ctx context.Context) error {
	for {
		version := r.listVersion()
		r.listing(OpList, version)
		var c collection[T]
		meta, err := r.pages(ctx, version, &c)
		if err == nil {
			if err = r.deliver(ctx, OpList, &c, meta.ResourceVersion); err == nil {
				if r.misses >= r.opts.WatchListAttempts {
					r.giveUpWatchList(true, nil)
				}
				r.attempts, r.misses = 0, 0
				return nil
			}
		} else if v := classify(err); version != "" && (v == expired || v == tooLarge || v == invalid) && ctx.Err() == nil {
			r.report(newError(OpList, err))
			r.latest = true // so that version is "" now: this happens once
			continue
		}
		if errors.Is(err, ErrStalled) && r.rv != "" {
			r.latest = true // the server may wait for a version that it lost
		}
		r.misses = 0 // WatchList is not all that fails
		return err
	}
}

// listVersion returns the resourceVersion to list at: what was reached before, so as
// not to go backward when another server answers; else anything that the server has
// in its cache; or "", which is what etcd has now. It is asked for as one that the list must
// not be older than, never exactly: that would fail once the server has compacted it.
func (r *Reflector[T]) listVersion() string {
	switch {
	case r.latest:
		return ""
	case r.rv != "":
		return r.rv
	case r.opts.Consistent:
		return ""
	}
	return "0"
}

// pages reads all pages of a list at version.
func (r *Reflector[T]) pages(ctx context.Context, version string, c *collection[T]) (metav1.ListMeta, error) {
	opts := metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector,
		ResourceVersion: version, Limit: r.limit(version),
	}
	if opts.Limit > 0 && version != "" && version != "0" {
		opts.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan // with pages, the default is exactly
	}
	unpaged := false // pages expired, and the list started over without pages
	tokens := make(map[string]struct{})
	for {
		meta, err := r.page(ctx, opts, c)
		switch {
		case err != nil && opts.Continue != "" && classify(err) == expired && ctx.Err() == nil:
			// The list took so long that the server dropped the state that the pages are
			// taken from.
			if unpaged {
				return meta, fmt.Errorf("%w: the server pages a list that was requested without pages, and then drops the pages: %v", ErrEndlessList, err)
			}
			r.report(newError(OpList, fmt.Errorf("after %d objects, starting over without pages: %w", c.entries.len, err)))
			*c, unpaged = collection[T]{}, true
			clear(tokens)
			r.did.restart()
			opts.Continue, opts.Limit = "", 0
			opts.ResourceVersion = version
			continue
		case err != nil:
			return meta, err
		case meta.Continue == "":
			return meta, nil
		case len(tokens) >= r.opts.MaxPages-1:
			return meta, fmt.Errorf("%w: more than MaxPages (%d) pages", ErrEndlessList, r.opts.MaxPages)
		}
		if _, repeated := tokens[meta.Continue]; repeated {
			return meta, ErrSameToken
		}
		tokens[meta.Continue] = struct{}{}
		r.paged = r.paged || version == "0"
		opts.Continue = meta.Continue
		opts.ResourceVersion, opts.ResourceVersionMatch = "", "" // the token has it
	}
}

// limit returns the size of pages to ask for. Servers that answer from their cache
// ignore it or, if a version is given, are kept from using their cache by it.
func (r *Reflector[T]) limit(version string) int64 {
	switch {
	case r.opts.PageSize < 0:
		return 0
	case r.opts.PageSize > 0:
		return r.opts.PageSize
	case version == "" || version == "0" || r.paged:
		return DefaultPageSize
	}
	return 0
}

// page reads one page.
func (r *Reflector[T]) page(ctx context.Context, opts metav1.ListOptions, c *collection[T]) (metav1.ListMeta, error) {
	ctx, dog := r.watchdog(ctx, OpList, r.opts.ListStall, ErrStalled)
	defer dog.stop()
	r.did.request(OpList)
	meta, err := r.src.List(ctx, opts, func(item source.Item[T]) error {
		dog.feed()
		r.did.objects.Add(1)
		obj, key, usable, ok := r.use(item)
		if !ok {
			c.nameless++
		} else {
			c.add(entry[T]{key: key, obj: r.held(key, obj, usable), usable: usable})
		}
		return r.withinLimit(c)
	})
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		r.did.page(meta.RemainingItemCount)
	}
	return meta, err
}

// withinLimit returns an error if c holds more than MaxObjects.
func (r *Reflector[T]) withinLimit(c *collection[T]) error {
	if c.entries.len+c.nameless > r.opts.MaxObjects {
		return fmt.Errorf("%w: more than MaxObjects (%d) objects", ErrEndlessList, r.opts.MaxObjects)
	}
	return nil
}
