// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package skip holds the paths of fields that decoders skip.
package skip

import "strings"

// Paths is a set of paths below a value, stored as a tree of member names. A nil *Paths is
// empty.
type Paths struct {
	all     bool              // the value itself is in the set
	members map[string]*Paths // each includes what is below any member
	each    *Paths            // below any element of an array, or any other member of a map
}

// Step is one step of a path: the name of a member, or any.
type Step struct {
	Name string
	Any  bool
}

// String returns the step in the notation of paths.
func (s Step) String() string {
	switch {
	case s.Any:
		return "[*]"
	case strings.ContainsAny(s.Name, ".['\"]* "):
		return "['" + s.Name + "']"
	default:
		return "." + s.Name
	}
}

// Add adds a path. A path below any member is also added below each named member, in either order, so
// that a lookup takes one step.
func (p *Paths) Add(path []Step) {
	if len(path) == 0 {
		p.all = true
		return
	}
	step, rest := path[0], path[1:]
	if step.Any {
		if p.each == nil {
			p.each = &Paths{}
		}
		p.each.Add(rest)
		for _, below := range p.members {
			below.Add(rest)
		}
		return
	}
	below := p.members[step.Name]
	if below == nil {
		below = p.each.clone()
		if p.members == nil {
			p.members = map[string]*Paths{}
		}
		p.members[step.Name] = below
	}
	below.Add(rest)
}

// clone returns a set with the same paths that shares nothing with p. It is not nil.
func (p *Paths) clone() *Paths {
	if p == nil {
		return &Paths{}
	}
	out := &Paths{all: p.all}
	if p.each != nil {
		out.each = p.each.clone()
	}
	if p.members != nil {
		out.members = make(map[string]*Paths, len(p.members))
	}
	for name, below := range p.members {
		out.members[name] = below.clone()
	}
	return out
}

// Has reports whether the set has the path or a prefix of it.
func (p *Paths) Has(path ...string) bool {
	for _, name := range path {
		if p == nil || p.all {
			break
		}
		p = p.Member([]byte(name))
	}
	return p.Whole()
}

// Member returns the paths below the member name.
func (p *Paths) Member(name []byte) *Paths {
	if p == nil {
		return nil
	}
	if below := p.members[string(name)]; below != nil {
		return below
	}
	return p.each
}

// Elements returns the paths below the elements of an array.
func (p *Paths) Elements() *Paths {
	if p == nil {
		return nil
	}
	return p.each
}

// Whole reports whether the value itself is skipped.
func (p *Paths) Whole() bool { return p != nil && p.all }
