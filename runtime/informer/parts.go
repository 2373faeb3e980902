// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// followParts has the informer's sources be those that its plural source is made of,
// whenever that changes. It returns when they are for the first time.
func (i *Informer[T]) followParts(ctx context.Context) (stop func(), err error) {
	if i.plural == nil {
		return func() {}, nil
	}
	if err := i.aligning.take(ctx); err != nil {
		return nil, err
	}
	defer i.aligning.give()
	stop = i.plural.Follow(i.align) // waits until the turn is given
	parts := i.plural.Parts()
	i.joinParts(parts)
	if i.plural.Handover() {
		i.retireParts(parts)
	} else {
		err = i.dropParts(ctx, parts)
	}
	if _, added := i.addParts(ctx, parts); err == nil {
		err = added
	}
	return stop, err
}

// align makes the informer's sources those that its plural source is made of, and waits
// for them to sync.
func (i *Informer[T]) align(ctx context.Context) error {
	streams, err := i.adopt(ctx)
	errs := []error{err}
	// Not while aligning is held: a run that has begun meanwhile takes it before it reads
	// anything, and so would never have them sync.
	for _, s := range streams {
		if err := s.WaitForSync(ctx); !errors.Is(err, ErrSourceRemoved) || i.isPart(s) {
			errs = append(errs, err)
		}
	}
	if err = errors.Join(errs...); err == nil && i.plural.Handover() {
		err = i.handOver(ctx)
	}
	return err
}

// adopt has the informer have a source for each part, and returns these. Those of no part
// are removed, unless others are to take over from them.
func (i *Informer[T]) adopt(ctx context.Context) ([]*Stream[T], error) {
	if err := i.aligning.take(ctx); err != nil {
		return nil, err
	}
	defer i.aligning.give()
	parts := i.plural.Parts()
	i.joinParts(parts)
	var dropped error
	if !i.plural.Handover() {
		dropped = i.dropParts(ctx, parts)
	}
	streams, err := i.addParts(ctx, parts)
	return streams, errors.Join(dropped, err)
}

// handOver removes the sources that are of no part, if those of all parts have synced. If
// not, the parts have changed meanwhile, and who has changed them waits for that.
func (i *Informer[T]) handOver(ctx context.Context) error {
	if err := i.aligning.take(ctx); err != nil {
		return err
	}
	defer i.aligning.give()
	if i.late() != nil {
		return nil
	}
	return i.dropParts(ctx, i.plural.Parts())
}

// isPart reports whether a source is that of a part.
func (i *Informer[T]) isPart(s *Stream[T]) bool {
	_, is := i.plural.Parts()[s.name]
	return is
}

// retireParts has the sources that are of no part be read no more. What they had is kept until
// others have taken over.
func (i *Informer[T]) retireParts(parts map[string]source.ListerWatcher[T]) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.streams {
		_, wanted := parts[s.name]
		s.retired = s.part && !wanted
	}
}

// hasRetired reports whether there are sources that were retired.
func (i *Informer[T]) hasRetired() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.streams, func(s *Stream[T]) bool { return s.retired })
}

// dropRetired removes the sources that were retired once those of all parts have synced. It
// fails only with ctx, and then the next run goes on.
func (i *Informer[T]) dropRetired(ctx context.Context) {
	for ctx.Err() == nil {
		if i.aligning.take(ctx) != nil {
			return
		}
		late := i.late()
		for _, s := range i.Streams() {
			if late == nil && i.isRetired(s) {
				_ = i.remove(ctx, s)
			}
		}
		i.aligning.give()
		if late == nil {
			return
		}
		_ = late.WaitForSync(ctx) // if it has been removed, another may be late
	}
}

// late returns the source of a part that has not synced, nil if there is none.
func (i *Informer[T]) late() *Stream[T] {
	for name := range i.plural.Parts() {
		if s := i.Stream(name); s != nil && !s.HasSynced() {
			return s
		}
	}
	return nil
}

func (i *Informer[T]) isRetired(s *Stream[T]) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return s.retired
}

// recall reads a source again that was retired.
func (s *Stream[T]) recall() {
	s.look()
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	if !s.retired {
		return
	}
	s.retired = false
	if r := s.informer.running; r != nil && !s.informer.ending {
		s.start(r)
	}
}

// joinParts has whoever waits for the store wait for all parts, before any of them is read
// and before any other is let go.
func (i *Informer[T]) joinParts(parts map[string]source.ListerWatcher[T]) {
	names := make([]string, 0, len(parts))
	for name := range parts {
		if s := i.Stream(name); s == nil || s.part {
			names = append(names, name)
		}
	}
	i.store.Join(names...)
}

// addParts adds a source for each part that has none, and returns those of all parts.
func (i *Informer[T]) addParts(ctx context.Context, parts map[string]source.ListerWatcher[T]) ([]*Stream[T], error) {
	var (
		streams []*Stream[T]
		errs    []error
	)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		s := i.Stream(name)
		if s != nil && i.isLeaving(s) {
			if err := i.remove(ctx, s); err != nil {
				errs = append(errs, err)
				continue
			}
			i.store.Join(name) // it has just left
			s = nil
		}
		if s == nil {
			var err error
			if s, err = i.addStream(name, parts[name], true); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		s.recall()
		streams = append(streams, s)
	}
	return streams, errors.Join(errs...)
}

// dropParts removes the sources that are of no part.
func (i *Informer[T]) dropParts(ctx context.Context, parts map[string]source.ListerWatcher[T]) error {
	var errs []error
	for _, s := range i.Streams() {
		if _, wanted := parts[s.name]; !wanted && s.part {
			errs = append(errs, i.remove(ctx, s))
		}
	}
	return errors.Join(errs...)
}

func (i *Informer[T]) isLeaving(s *Stream[T]) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return s.leaving
}
