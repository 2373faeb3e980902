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

// list reads the existing objects by LIST.
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
		} else if v := classify(err); version != "" && ctx.Err() == nil &&
			(v == expired || v == tooLarge || v == invalid) {
			r.report(newError(OpList, err))
			r.latest = true // version is "" then, so this happens once
			continue
		}
		if errors.Is(err, ErrStalled) && r.rv != "" {
			r.latest = true // the server may be waiting for a version that it lost
		}
		r.misses = 0 // LIST fails as well
		return err
	}
}

// listVersion returns the resourceVersion of a list: the last version read, so that another
// server does not move the reflector back; "0", any state in the server's cache; or "", the latest in
// etcd. The list may be newer: an exact version would fail once the server has compacted it.
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
		// With a limit the default is an exact match.
		opts.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	unpaged := false // pages expired, and the list started over without a limit
	tokens := make(map[string]struct{})
	for {
		meta, err := r.page(ctx, opts, c)
		switch {
		case err != nil && opts.Continue != "" && classify(err) == expired && ctx.Err() == nil:
			// The server has compacted the state of the pages.
			if unpaged {
				return meta, fmt.Errorf("%w: the server pages a list without a limit, and its continue tokens expire: %v",
					ErrEndlessList, err)
			}
			r.report(newError(OpList,
				fmt.Errorf("after %d objects, starting over without pages: %w", c.entries.len, err)))
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

// limit returns the limit of a list at version. With version "0", servers that have a cache ignore the
// limit. With another version, a limit makes them read from etcd instead of the cache.
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
func (r *Reflector[T]) page(
	ctx context.Context, opts metav1.ListOptions, c *collection[T],
) (metav1.ListMeta, error) {
	ctx, dog := r.watchdog(ctx, OpList, r.opts.ListStall, ErrStalled)
	defer dog.stop()
	r.did.request(OpList)
	meta, err := r.src.List(ctx, opts, func(item source.Item[T]) error {
		dog.feed()
		r.did.objects.Add(1)
		if e, ok := r.use(item); ok {
			c.add(r.held(e))
		} else {
			c.nameless++
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

// withinLimit returns an error if c has more than MaxObjects objects.
func (r *Reflector[T]) withinLimit(c *collection[T]) error {
	if c.entries.len+c.nameless > r.opts.MaxObjects {
		return fmt.Errorf("%w: more than MaxObjects (%d) objects", ErrEndlessList, r.opts.MaxObjects)
	}
	return nil
}
