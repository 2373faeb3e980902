// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

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

// startMissingFeeds reads the parts that are not read yet, in r. The caller is a goroutine of r.
func (i *Informer[T]) startMissingFeeds(r *run) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, p := range i.parts {
		if p.feed == nil {
			p.feed = newFeed(r.ctx, p)
			r.goroutines.Go(p.feed.readAndApply)
		}
	}
}

// invalidateSources has the sources of src read again, once, because they may have changed.
func (i *Informer[T]) invalidateSources() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.cachedSources = sync.OnceValue(i.src.Parts().Sources)
	i.signalPartsChanged()
}

// currentSources returns the sources of src, and a channel that is closed when they, the parts or their states change.
func (i *Informer[T]) currentSources() (sources map[string]source.Source[T], partsChanged <-chan struct{}) {
	i.mu.Lock()
	read, partsChanged := i.cachedSources, i.partsChanged
	i.mu.Unlock()
	return read(), partsChanged // without the lock: Sources is foreign code
}

// diffParts returns the difference between the informer's parts and sources: the names of sources without a part, the parts
// that have not synced, and the parts without a source.
func (i *Informer[T]) diffParts(sources map[string]source.Source[T]) (added []string, unsynced, removed []*part[T]) {
	i.mu.Lock()
	defer i.mu.Unlock()
	others := maps.Clone(sources)
	for _, p := range i.parts {
		delete(others, p.name)
		if _, ok := sources[p.name]; !ok {
			removed = append(removed, p)
		} else if p.state == partUnread {
			unsynced = append(unsynced, p)
		}
	}
	return slices.Sorted(maps.Keys(others)), unsynced, removed
}

// followParts keeps the informer's parts equal to those of src until r ends. It has no timer: the reflector of a part
// retries, and followParts continues when the part has synced.
func (i *Informer[T]) followParts(r *run) {
	for r.ctx.Err() == nil {
		sources, partsChanged := i.currentSources()
		i.reconcileParts(r.ctx, sources)
		i.startMissingFeeds(r)
		if _, unsynced, removed := i.diffParts(sources); unsynced == nil {
			i.removeParts(r.ctx, removed)
		}
		select {
		case <-partsChanged:
		case <-r.ctx.Done():
		}
	}
}

// rereadSourcesAndAwaitSync waits until the informer's parts are those of src and have synced. If ctx ends first, align
// returns the errors of the parts that have not synced; followParts continues.
func (i *Informer[T]) rereadSourcesAndAwaitSync(ctx context.Context) error {
	i.invalidateSources()
	for {
		sources, partsChanged := i.currentSources()
		added, unsynced, removed := i.diffParts(sources)
		if len(added)+len(unsynced)+len(removed) == 0 {
			return nil
		}
		if why := i.await(ctx, partsChanged, nil); why != nil {
			var errs []error
			_, unsynced, _ = i.diffParts(sources) // now
			for _, p := range unsynced {
				errs = append(errs, i.newPartWaitError(p.name, why))
			}
			return cmp.Or(errors.Join(errs...), i.wrapError(why))
		}
	}
}

// reconcileParts adds the parts of src that are new. Unless they take over from the old ones, it removes the old
// ones first.
func (i *Informer[T]) reconcileParts(ctx context.Context, sources map[string]source.Source[T]) {
	added, _, removed := i.diffParts(sources)
	i.wholeSourceFeeder.AddParts(added...) // before a part ends, so that WaitFor waits for the new ones
	if !i.src.Parts().Handover {
		i.removeParts(ctx, removed)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.parts = slices.Clone(i.parts)
	for _, name := range added {
		i.parts = append(i.parts, newPart(i, name, sources[name], i.wholeSourceFeeder.Part(name)))
	}
}

// removeParts stops reading parts and deletes the objects that no other part has. It does not wait for the handlers:
// there are no more deletions than objects. If ctx ends first, the next run continues.
func (i *Informer[T]) removeParts(ctx context.Context, parts []*part[T]) {
	for _, p := range parts {
		if p.feed != nil { // the caller's goroutine is the one that sets it
			p.feed.cancel()
			<-p.feed.ended
		}
		if i.hub.Begin(ctx) != nil {
			return
		}
		changes := p.feeder.End()
		i.hub.Deliver(hub.Delivery[T]{Changes: changes, Last: i.dropPart(p), Released: true})
	}
}
