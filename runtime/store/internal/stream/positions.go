// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package stream tracks the sources of a store: their resourceVersions, and which objects they have.
package stream

import "errors"

var (
	// ErrEnded is returned for an Epoch whose source was removed.
	ErrEnded = errors.New("the source was removed")
	// ErrWhich is returned if an Epoch does not name one of several sources.
	ErrWhich = errors.New("the store has several sources: " +
		"name one with WaitForSource, or wait with the informer")
	// ErrRewound is returned for an Epoch of a source that has gone backward.
	ErrRewound = errors.New("the source went backward (restored from a backup?): " +
		"read the object again before waiting for it")
)

// pageSize is the number of positions in a page. Storing a position copies one page and the list of
// pages, 0.6 KB for 1,000 sources.
const pageSize = 16

// Positions has the positions of one version of a store in its sources. Copies share their
// pages, which never change. The zero value has no sources.
type Positions struct {
	pages  []*[pageSize]*position // by number of the source
	lives  uint64                 // the number of sources so far
	joined bool                   // Join was called
	moving uint32                 // the source that has moved last
	moved  string                 // its resourceVersion, which its page may lack
	epoch  uint64                 // how often a joined source has gone backward
}

// position is the position in one source. It never changes.
type position struct {
	source          string
	resourceVersion string
	epoch           uint64 // how often the source has gone backward
	life            uint64 // distinguishes sources of one name; 0: no such source
	joined          bool
}

// at returns the position in source id, or a zero one.
func (p *Positions) at(id uint32) (at position) {
	if page := int(id / pageSize); page < len(p.pages) && p.pages[page] != nil {
		if stored := p.pages[page][id%pageSize]; stored != nil {
			at = *stored
		}
	}
	if id == p.moving {
		at.resourceVersion = p.moved
	}
	return at
}

// set replaces the position in source id. It copies no page if the source moves on.
func (p *Positions) set(id uint32, at position) {
	if id != p.moving {
		p.store(p.moving, p.at(p.moving))
		p.moving = id
	}
	if p.moved = at.resourceVersion; at != p.at(id) {
		p.store(id, at)
	}
}

// store stores a position in a copy of its page.
func (p *Positions) store(id uint32, at position) {
	page := int(id / pageSize)
	pages := make([]*[pageSize]*position, max(len(p.pages), page+1))
	copy(pages, p.pages)
	var row [pageSize]*position
	if pages[page] != nil {
		row = *pages[page]
	}
	row[id%pageSize] = &at
	pages[page], p.pages = &row, pages
}

// each calls yield with each source until it returns false.
func (p *Positions) each(yield func(position) bool) {
	for id := range uint32(len(p.pages) * pageSize) { //nolint:gosec // sources fit
		if at := p.at(id); at.life > 0 && !yield(at) {
			return
		}
	}
}

// Begin adds a source unless it exists.
func (p *Positions) Begin(id uint32, source string) {
	if p.at(id).life == 0 {
		p.lives++
		p.set(id, position{source: source, life: p.lives})
	}
}

// Advance sets the resourceVersion of a source. If rewind is set, the source has gone backward.
func (p *Positions) Advance(id uint32, source, resourceVersion string, rewind bool) {
	was := p.at(id)
	if was.life == 0 && resourceVersion == "" && !rewind {
		return
	}
	p.Begin(id, source)
	at := p.at(id)
	at.resourceVersion = resourceVersion
	if rewind {
		at.epoch++
		if at.joined {
			p.epoch++
		}
	}
	p.set(id, at)
}

// End removes a source.
func (p *Positions) End(id uint32) { p.set(id, position{}) }

// Join joins sources with those that were joined before. Without sources it declares that there
// are joined ones, so far none.
func (p *Positions) Join(sources []string, id func(source string) uint32) {
	p.joined = true
	for _, source := range sources {
		n := id(source)
		p.Begin(n, source)
		at := p.at(n)
		at.joined = true
		p.set(n, at)
	}
}

// ResourceVersion returns the resourceVersion of source id.
func (p *Positions) ResourceVersion(id uint32) string { return p.at(id).resourceVersion }

// find returns the position in a source, or a zero one.
func (p *Positions) find(source string) (found position) {
	p.each(func(at position) bool {
		if at.source == source {
			found = at
		}
		return found.life == 0
	})
	return found
}

// whole returns the place of the whole store, if its only source is "" or all sources are joined.
// Otherwise it returns ErrWhich.
func (p *Positions) whole() (Place, error) {
	only, all := true, true // all sources are "", or joined
	p.each(func(at position) bool {
		only, all = only && (at.source == "" || at.joined), all && at.joined
		return true
	})
	switch {
	case p.joined && all:
		return p.Joined(), nil
	case !p.joined && only:
		at := p.Of("")
		at.Epoch.named, at.Epoch.joined = false, p.epoch
		return at, nil
	}
	return Place{}, ErrWhich
}

// Of returns the place of one source.
func (p *Positions) Of(source string) Place {
	at := p.find(source)
	epoch := Epoch{source: source, named: true, epoch: at.epoch, life: at.life}
	return Place{ResourceVersion: at.resourceVersion, Epoch: epoch, source: source}
}

// Joined returns the place of the joined source that is furthest behind.
func (p *Positions) Joined() Place {
	first := p.find("")
	place := Place{joined: true, first: first, final: p.joined}
	place.Epoch = Epoch{epoch: first.epoch, joined: p.epoch}
	p.each(func(at position) bool {
		if at.joined {
			place.behind(at.source, at.resourceVersion)
		}
		return true
	})
	return place
}

// At returns the place of the sources of an Epoch.
func (p *Positions) At(e Epoch) (Place, error) {
	switch {
	case e.named:
		return p.Of(e.source), nil
	case e.life > 0 && !p.find("").joined:
		return p.Of(""), nil // even if sources have been added
	}
	return p.whole()
}
