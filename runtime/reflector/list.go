// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// pageSize is the default limit of a list.
const pageSize = 500

// list reads the existing objects by LIST.
func (r *Reflector[T]) list(ctx context.Context) outcome {
	version := r.state.listVersion()
	r.reportListing(OpList, version)
	var out outcome
	list := &partialList[T]{previousListSize: r.listSize}
	meta := r.pages(ctx, version, list, &out)
	if out.err == nil {
		out.err = r.replace(ctx, OpList, list, meta.ResourceVersion)
	}
	return out
}

// pages reads all pages of a list at version.
func (r *Reflector[T]) pages(
	ctx context.Context, version string, list *partialList[T], out *outcome,
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
	idle, since := backoffState{}, time.Now()
	for {
		var progress bool
		if meta, progress, out.err = r.page(ctx, opts, list); out.err != nil {
			if out.failedAtContinue = opts.Continue != ""; out.failedAtContinue && classify(out.err) == expired {
				out.err = r.describeExpiredToken(list, out.err)
			}
			return meta
		}
		_, repeated := tokens[meta.Continue]
		switch {
		case meta.Continue == "":
			return meta
		case repeated:
			out.err = fmt.Errorf("%w: the continue token of a page leads back to an earlier page", ErrEndlessList)
			return meta
		case progress:
			idle.next, since = 0, time.Now()
		case time.Since(since) >= r.opts.ListStall:
			out.err = fmt.Errorf("%w: the server sends pages without new objects", errStalled)
			return meta
		default:
			ctxsync.Sleep(ctx, idle.after(nil, r.opts.Backoff))
		}
		tokens[meta.Continue] = struct{}{}
		out.pagedDespiteCache = out.pagedDespiteCache || version == "0"
		opts.Continue = meta.Continue
		opts.ResourceVersion, opts.ResourceVersionMatch = "", "" // the token has it
	}
}

// describeExpiredToken describes err, the response to a continue token that has expired. It is the second in a row
// if the list was to have no pages.
func (r *Reflector[T]) describeExpiredToken(list *partialList[T], err error) error {
	if r.state.nextListUnpaged {
		return fmt.Errorf("%w: the server pages a list without a limit, and its continue tokens expire: %v",
			ErrEndlessList, err)
	}
	return fmt.Errorf("after %d objects, starting over without pages: %w", len(list.deltasWithDeleted), err)
}

// limit returns the limit of a list at version. With version "0", servers that have a cache ignore the
// limit. With another version, a limit makes them read from etcd instead of the cache.
func (r *Reflector[T]) limit(version string) int64 {
	switch {
	case r.opts.PageSize < 0, r.state.nextListUnpaged:
		return 0
	case r.opts.PageSize > 0:
		return r.opts.PageSize
	case version == "" || version == "0" || r.state.pagesDespiteCache:
		return pageSize
	}
	return 0
}

// page reads one page. progress says that it brought other objects than the page before, or that the
// source left some out.
func (r *Reflector[T]) page(
	ctx context.Context, opts metav1.ListOptions, list *partialList[T],
) (meta metav1.ListMeta, progress bool, err error) {
	ctx, watchdog := newWatchdog(ctx, r.opts.ListStall, errStalled)
	defer watchdog.stop()
	begin, repeated := len(list.deltasWithDeleted), false
	r.status.update(func(s *Stats) { s.Requests[OpList]++ })
	meta, err = r.src.List(ctx, opts, func(d source.Delta[T], why error) error {
		if !d.Type.In(delta.List) {
			return errors.Join(fmt.Errorf("the list of the source has a delta of type %v", d.Type), why)
		}
		watchdog.feed()
		if d.Type == delta.Dropped {
			r.status.update(func(s *Stats) { s.Dropped++ })
			return nil
		}
		r.status.update(func(s *Stats) { s.Objects++ })
		if d = r.checkKeyAndReport(d, why); d.Type == delta.NoKey {
			list.keyless++
		} else {
			if len(list.deltasWithDeleted) == begin {
				repeated, list.lastPageFirstKey = d.Key == list.lastPageFirstKey, d.Key
			}
			r.replaceByEqualKnown(&d)
			list.add(d)
		}
		return r.withinLimit(list)
	})
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		r.status.update(func(s *Stats) { s.Heard = time.Now() })
	}
	return meta, watchdog.everFed && !repeated, err
}

// withinLimit returns an error if list has more than MaxObjects objects.
func (r *Reflector[T]) withinLimit(list *partialList[T]) error {
	if len(list.deltasWithDeleted)+list.keyless > r.opts.MaxObjects {
		return fmt.Errorf("%w: more than MaxObjects (%d) objects", ErrEndlessList, r.opts.MaxObjects)
	}
	return nil
}

// replace passes a complete list at version to the sink.
func (r *Reflector[T]) replace(ctx context.Context, op Op, list *partialList[T], version string) error {
	if list.keyless > 0 {
		return errIncomplete
	}
	rewound := resourceversion.Older(version, r.state.resourceVersion)
	all := delta.Batch[types.NamespacedName, T]{Replace: true, ResourceVersion: version, Rewound: rewound}
	all.Deltas, r.listSize = list.takeAll()
	if err := r.sink.Replace(ctx, all); err != nil {
		return err
	}
	r.setStateAndStatsVersion(version)
	took := r.status.activityAge()
	r.status.listTimes.Observe(took)
	r.recordAndReportEvent(Event{
		Type: EventListed, Op: op, ResourceVersion: version, Objects: r.listSize, Took: took, Rewound: rewound,
	})
	return nil
}
