// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// list reads the existing objects by LIST.
func (r *Reflector[T]) list(ctx context.Context) outcome {
	version := r.state.listVersion()
	r.listing(OpList, version)
	var (
		c   collection[T]
		out outcome
	)
	meta := r.pages(ctx, version, &c, &out)
	if out.err == nil {
		out.err = r.deliver(ctx, OpList, &c, meta.ResourceVersion)
	}
	return out
}

// pages reads all pages of a list at version.
func (r *Reflector[T]) pages(
	ctx context.Context, version string, c *collection[T], out *outcome,
) (meta metav1.ListMeta) {
	opts := metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector,
		ResourceVersion: version, Limit: r.limit(version),
	}
	if opts.Limit > 0 && version != "" && version != "0" {
		// With a limit the default is an exact match.
		opts.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	tokens := make(map[string]struct{})
	for {
		if meta, out.err = r.page(ctx, opts, c); out.err != nil {
			if out.token = opts.Continue != ""; out.token && classify(out.err) == expired {
				out.err = r.expiredToken(c, out.err)
			}
			return meta
		}
		_, repeated := tokens[meta.Continue]
		switch {
		case meta.Continue == "":
			return meta
		case len(tokens) >= r.opts.MaxPages-1:
			out.err = fmt.Errorf("%w: more than MaxPages (%d) pages", ErrEndlessList, r.opts.MaxPages)
			return meta
		case repeated:
			out.err = ErrSameToken
			return meta
		}
		tokens[meta.Continue] = struct{}{}
		out.pages = out.pages || version == "0"
		opts.Continue = meta.Continue
		opts.ResourceVersion, opts.ResourceVersionMatch = "", "" // the token has it
	}
}

// expiredToken describes err, the response to a continue token that has expired. It is the second in a row
// if the list was to have no pages.
func (r *Reflector[T]) expiredToken(c *collection[T], err error) error {
	if r.state.unpaged {
		return fmt.Errorf("%w: the server pages a list without a limit, and its continue tokens expire: %v",
			ErrEndlessList, err)
	}
	return fmt.Errorf("after %d objects, starting over without pages: %w", c.entries.len, err)
}

// limit returns the limit of a list at version. With version "0", servers that have a cache ignore the
// limit. With another version, a limit makes them read from etcd instead of the cache.
func (r *Reflector[T]) limit(version string) int64 {
	switch {
	case r.opts.PageSize < 0, r.state.unpaged:
		return 0
	case r.opts.PageSize > 0:
		return r.opts.PageSize
	case version == "" || version == "0" || r.state.paged:
		return DefaultPageSize
	}
	return 0
}

// page reads one page.
func (r *Reflector[T]) page(
	ctx context.Context, opts metav1.ListOptions, c *collection[T],
) (metav1.ListMeta, error) {
	ctx, dog := newWatchdog(ctx, r.opts.ListStall, ErrStalled)
	defer dog.stop()
	r.counters.request(OpList)
	meta, err := r.src.List(ctx, opts, func(item source.Item[T]) error {
		dog.feed()
		r.counters.objects.Add(1)
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
		r.counters.page(meta.RemainingItemCount)
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
