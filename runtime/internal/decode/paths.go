// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

// Paths is a set of paths below a value: a tree of the names of members. A nil
// *Paths is empty.
type Paths struct {
	all     bool // the value itself is in the set
	members map[string]*Paths
	each    *Paths // below any element of an array, or any member of a map
}

// Step is one step of a path: the name of a member, or any.
type Step struct {
	Name string
	Any  bool
}

// Add adds a path.
func (p *Paths) Add(path []Step) {
	for _, step := range path {
		next := &p.each
		if !step.Any {
			if p.members == nil {
				p.members = map[string]*Paths{}
			}
			below := p.members[step.Name]
			if below == nil {
				below = &Paths{}
				p.members[step.Name] = below
			}
			p = below
			continue
		}
		if *next == nil {
			*next = &Paths{}
		}
		p = *next
	}
	p.all = true
}

// Has tells whether the set has the path, or one that it is below of.
func (p *Paths) Has(path ...string) bool {
	for _, name := range path {
		if p == nil || p.all {
			break
		}
		p = p.member([]byte(name))
	}
	return p.whole()
}

// member returns what is below the member name.
func (p *Paths) member(name []byte) *Paths {
	if p == nil {
		return nil
	}
	if below := p.members[string(name)]; below != nil {
		return below
	}
	return p.each
}

// elements returns what is below each element of an array.
func (p *Paths) elements() *Paths {
	if p == nil {
		return nil
	}
	return p.each
}

// whole tells whether the value itself is to be skipped.
func (p *Paths) whole() bool { return p != nil && p.all }
