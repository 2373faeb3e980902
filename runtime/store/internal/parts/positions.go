// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package parts tracks the parts of a store's source, such as namespaces: how far the store has read each
// of them, and which objects each has.
package parts

import (
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
)

// ErrRewound is returned by Reached if the source has gone backward.
var ErrRewound = errors.New("the source went backward (restored from a backup?): " +
	"read the object again before waiting for it")

// pageSize is the number of positions in a page. Storing a position copies one page and the list of
// pages, 0.6 KB for 1,000 parts.
const pageSize = 16

// Positions has the positions of one version of a store in its source. Copies share their pages, which
// never change. The zero value is that of a source without parts that was not read.
type Positions struct {
	undividedVersion string                 // the resourceVersion of a source without parts
	hasParts         bool                   // the source has parts, or had; undividedVersion does not count
	pages            []*[pageSize]*position // by number of the part
	rewindCount      uint64                 // how often the source has gone backward
}

// position is the position in one part. It never changes.
type position struct{ part, resourceVersion string }

// Divide declares that the source has parts.
func (p *Positions) Divide() { p.hasParts = true }

// Begin adds a part unless it exists.
func (p *Positions) Begin(id uint32, part string) {
	if p.Divide(); p.positionOf(id) == nil {
		p.setPosition(id, &position{part: part})
	}
}

// End removes a part.
func (p *Positions) End(id uint32) { p.setPosition(id, nil) }

// positionOf returns the position in part id, or nil.
func (p *Positions) positionOf(id uint32) *position {
	if page := int(id / pageSize); page < len(p.pages) && p.pages[page] != nil {
		return p.pages[page][id%pageSize]
	}
	return nil
}

// setPosition stores a position in a copy of its page.
func (p *Positions) setPosition(id uint32, at *position) {
	page := int(id / pageSize)
	pages := make([]*[pageSize]*position, max(len(p.pages), page+1))
	copy(pages, p.pages)
	var row [pageSize]*position
	if pages[page] != nil {
		row = *pages[page]
	}
	row[id%pageSize] = at
	pages[page], p.pages = &row, pages
}

// Advance sets the resourceVersion of a part that has begun or, with number 0, of a source without parts.
func (p *Positions) Advance(id uint32, resourceVersion string) {
	if id == 0 {
		p.undividedVersion = resourceVersion
	} else if at := p.positionOf(id); at.resourceVersion != resourceVersion {
		p.setPosition(id, &position{at.part, resourceVersion})
	}
}

// Rewind declares that the source has gone backward.
func (p *Positions) Rewind() { p.rewindCount++ }

// Rewinds returns how often the source has gone backward.
func (p *Positions) Rewinds() uint64 { return p.rewindCount }

// ResourceVersion returns the resourceVersion of a part, or "" if there is no such part.
func (p *Positions) ResourceVersion(part string) string {
	for at := range p.eachPosition {
		if at.part == part {
			return at.resourceVersion
		}
	}
	return ""
}

// eachPosition yields the positions in all parts.
func (p *Positions) eachPosition(yield func(*position) bool) {
	for id := range uint32(len(p.pages) * pageSize) { //nolint:gosec // parts fit
		if at := p.positionOf(id); at != nil && !yield(at) {
			return
		}
	}
}

// Last returns the resourceVersion of the part that is furthest behind: one without a version, then one
// whose version has no order, then the lowest. name names that part for errors. none is set if the source
// has no parts left.
func (p *Positions) Last() (resourceVersion, name string, none bool) {
	if !p.hasParts {
		return p.undividedVersion, "the store", false
	}
	var last *position
	for at := range p.eachPosition {
		if last == nil || at.isBehind(last) {
			last = at
		}
	}
	if last == nil {
		return "", "the store", true
	}
	return last.resourceVersion, "source " + last.part, false
}

// isBehind reports whether p is further behind than other.
func (p *position) isBehind(other *position) bool {
	switch {
	case p.resourceVersion == "":
		return other.resourceVersion != ""
	case resourceversion.Check(other.resourceVersion) != nil:
		return false
	}
	order, err := resourceversion.Compare(p.resourceVersion, other.resourceVersion)
	return err != nil || order < 0
}

// Reached reports whether all parts are at resourceVersion, or later. rewinds is that of the time at which
// the server returned resourceVersion. Reached returns ErrRewound, or an error if versions have no order.
func (p *Positions) Reached(rewinds uint64, resourceVersion string) (bool, error) {
	if p.rewindCount != rewinds {
		return false, ErrRewound
	}
	last, _, none := p.Last()
	if resourceVersion == "" || last == "" {
		return resourceVersion == "" || none, nil
	}
	order, err := resourceversion.Compare(last, resourceVersion)
	if err != nil {
		return false, fmt.Errorf("cannot compare with the store's version: %w", err)
	}
	return order >= 0, nil
}
