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

// read reads the parts that are not read yet, in r. The caller is a goroutine of r.
func (i *Informer[T]) read(r *run) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, p := range i.parts {
		if p.feed == nil {
			p.feed = newFeed(r.ctx, p)
			r.done.Go(p.feed.run)
		}
	}
}

// follow keeps the informer's parts equal to those of src until r ends. It has no timer: the reflector of
// a part retries, and follow continues when the part has synced.
func (i *Informer[T]) follow(r *run) {
	var waiting []chan struct{}
	for r.ctx.Err() == nil {
		i.mu.Lock()
		waiting = append(waiting, i.aligning...)
		i.aligning = nil
		i.mu.Unlock()
		wanted := i.src.Parts().Sources()
		i.adopt(r.ctx, wanted)
		i.read(r)
		late := i.late(wanted)
		if late == nil && i.dropAllBut(r.ctx, wanted) {
			for _, aligned := range waiting {
				close(aligned)
			}
			waiting = nil
		}
		select {
		case <-i.changed:
		case <-late: // never if nil
		case <-r.ctx.Done():
		}
	}
}

// align waits until the informer's parts are those of src and have synced. If ctx ends first, align
// returns the errors of the parts that have not synced; follow continues.
func (i *Informer[T]) align(ctx context.Context) error {
	aligned := make(chan struct{})
	i.mu.Lock()
	i.aligning = append(i.aligning, aligned)
	i.mu.Unlock()
	i.changed.Raise()
	why := await(ctx, aligned, i.ended(), nil, nil)
	if why == nil {
		return nil
	}
	var errs []error
	wanted := i.src.Parts().Sources()
	for _, p := range i.allParts() {
		if _, ok := wanted[p.name]; ok && !ctxsync.IsClosed(p.synced) {
			i.mu.Lock()
			errs = append(errs, &waitError{
				resource: i.resource, name: i.opts.name, source: p.name, err: why, last: p.lastError,
			})
			i.mu.Unlock()
		}
	}
	if errs == nil {
		return i.name(why)
	}
	return errors.Join(errs...)
}

// adopt adds the parts of src that are new. Unless they take over from the old ones, it drops the old
// ones first.
func (i *Informer[T]) adopt(ctx context.Context, wanted map[string]source.Source[T]) {
	names := slices.Sorted(maps.Keys(wanted))
	i.feeder.AddParts(names...) // before a part ends, so that WaitFor waits for the new ones
	if !i.src.Parts().Handover {
		i.dropAllBut(ctx, wanted)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	parts := slices.Clone(i.parts)
	for _, name := range names {
		if !slices.ContainsFunc(parts, func(p *part[T]) bool { return p.name == name }) {
			parts = append(parts, newPart(i, name, wanted[name]))
		}
	}
	i.parts = parts
}

// late returns a channel that is closed when a part of src has synced that has not, or nil.
func (i *Informer[T]) late(wanted map[string]source.Source[T]) <-chan struct{} {
	for _, p := range i.allParts() {
		if _, ok := wanted[p.name]; ok && !ctxsync.IsClosed(p.synced) {
			return p.synced
		}
	}
	return nil
}

// dropAllBut drops the parts that are no longer of src. It returns false if ctx ends first; the next run
// continues.
func (i *Informer[T]) dropAllBut(ctx context.Context, wanted map[string]source.Source[T]) bool {
	for _, p := range i.allParts() {
		if _, ok := wanted[p.name]; !ok && !i.drop(ctx, p) {
			return false
		}
	}
	return true
}

// drop stops reading p and deletes the objects that no other part has. It does not wait for the handlers:
// there are no more deletions than objects. drop returns false if ctx ends first.
func (i *Informer[T]) drop(ctx context.Context, p *part[T]) bool {
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
	changes := i.feeder.EndPart(p.name)
	i.mu.Lock()
	i.parts = slices.DeleteFunc(slices.Clone(i.parts), func(other *part[T]) bool { return other == p })
	i.settlePresent()
	last := i.completes()
	i.mu.Unlock()
	i.hub.Distribute(hub.Delivery[T]{Changes: changes, Last: last, Released: true})
	return true
}
