// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// allParts returns the parts of the source.
func (i *Informer[T]) allParts() []*part[T] {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.parts
}

// feeds returns the feeds of the parts that are read.
func (i *Informer[T]) feeds() (all []*feed[T]) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, p := range i.parts {
		if p.feed != nil {
			all = append(all, p.feed)
		}
	}
	return all
}

// startFeeds reads the parts that are not read yet, in r. The caller is a goroutine of r.
func (i *Informer[T]) startFeeds(r *run) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, p := range i.parts {
		if p.feed == nil {
			p.feed = newFeed(r.ctx, p)
			r.done.Go(p.feed.run)
		}
	}
}

// settle changes the parts or their states under i.mu, and sets what follows from them: whether the type is present, on
// which all parts must agree, and whether the informer has synced. It reports whether it has synced by this change.
func (i *Informer[T]) settle(change func()) (synced bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change()
	present := !slices.ContainsFunc(i.parts, func(p *part[T]) bool { return !p.present })
	absent := !slices.ContainsFunc(i.parts, func(p *part[T]) bool { return !p.absent })
	if present != absent { // they agree, and there are some
		i.setPresent(present)
	}
	isMissing := func(p *part[T]) bool { return p.awaited && !ctxsync.IsClosed(p.synced) }
	if i.hasSynced || i.running == nil || !i.running.launched || slices.ContainsFunc(i.parts, isMissing) {
		return false
	}
	i.hasSynced = true
	close(i.synced)
	return true
}

// followParts keeps the informer's parts equal to those of src until r ends. It has no timer: the reflector of
// a part retries, and followParts continues when the part has synced.
func (i *Informer[T]) followParts(r *run) {
	var waiting []chan struct{}
	for r.ctx.Err() == nil {
		i.mu.Lock()
		waiting = append(waiting, i.alignments...)
		i.alignments = nil
		i.mu.Unlock()
		sources := i.src.Parts().Sources()
		i.addParts(r.ctx, sources)
		i.startFeeds(r)
		var synced <-chan struct{} // nil if all have synced
		if unsynced := i.unsynced(sources); unsynced != nil {
			synced = unsynced[0].synced
		} else if i.removeOthers(r.ctx, sources) {
			for _, aligned := range waiting {
				close(aligned)
			}
			waiting = nil
		}
		select {
		case <-i.changed:
		case <-synced:
		case <-r.ctx.Done():
		}
	}
}

// align waits until the informer's parts are those of src and have synced. If ctx ends first, align
// returns the errors of the parts that have not synced; followParts continues.
func (i *Informer[T]) align(ctx context.Context) error {
	aligned := make(chan struct{})
	i.mu.Lock()
	i.alignments = append(i.alignments, aligned)
	i.mu.Unlock()
	i.changed.Raise()
	why := await(ctx, aligned, i.ended(), nil, nil)
	if why == nil {
		return nil
	}
	var errs []error
	for _, p := range i.unsynced(i.src.Parts().Sources()) {
		i.mu.Lock()
		errs = append(errs, &waitError{
			resource: i.resource, name: i.opts.name, source: p.name, err: why, last: p.lastError,
		})
		i.mu.Unlock()
	}
	if errs == nil {
		return i.name(why)
	}
	return errors.Join(errs...)
}

// addParts adds the parts of src that are new. Unless they take over from the old ones, it removes the old
// ones first.
func (i *Informer[T]) addParts(ctx context.Context, sources map[string]source.Source[T]) {
	names := slices.Sorted(maps.Keys(sources))
	i.feeder.AddParts(names...) // before a part ends, so that WaitFor waits for the new ones
	if !i.src.Parts().Handover {
		i.removeOthers(ctx, sources)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	parts := slices.Clone(i.parts)
	for _, name := range names {
		if !slices.ContainsFunc(parts, func(p *part[T]) bool { return p.name == name }) {
			parts = append(parts, newPart(i, name, sources[name], i.feeder.Part(name)))
		}
	}
	i.parts = parts
}

// unsynced returns the parts of sources that have not synced.
func (i *Informer[T]) unsynced(sources map[string]source.Source[T]) (parts []*part[T]) {
	for _, p := range i.allParts() {
		if _, ok := sources[p.name]; ok && !ctxsync.IsClosed(p.synced) {
			parts = append(parts, p)
		}
	}
	return parts
}

// removeOthers removes the parts that are no longer of src. It returns false if ctx ends first; the next run
// continues.
func (i *Informer[T]) removeOthers(ctx context.Context, sources map[string]source.Source[T]) bool {
	for _, p := range i.allParts() {
		if _, ok := sources[p.name]; !ok && !i.removePart(ctx, p) {
			return false
		}
	}
	return true
}

// removePart stops reading p and deletes the objects that no other part has. It does not wait for the handlers:
// there are no more deletions than objects. removePart returns false if ctx ends first.
func (i *Informer[T]) removePart(ctx context.Context, p *part[T]) bool {
	i.mu.Lock()
	f := p.feed
	i.mu.Unlock()
	if f != nil {
		f.cancel()
		select {
		case <-f.ended:
		case <-ctx.Done():
			return false
		}
	}
	if i.hub.Begin(ctx) != nil {
		return false
	}
	changes := p.feeder.End()
	last := i.settle(func() {
		i.parts = slices.DeleteFunc(slices.Clone(i.parts), func(other *part[T]) bool { return other == p })
	})
	i.hub.Deliver(hub.Delivery[T]{Changes: changes, Last: last, Released: true})
	return true
}
