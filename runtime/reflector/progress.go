// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import "k8s.io/apimachinery/pkg/types"

// maxEmptyPages is how many pages of a list in a row may hold nothing.
const maxEmptyPages = 100

// progress tells a list of many pages from one that has no end.
type progress struct {
	firsts map[types.NamespacedName]struct{} // the first object of each page
	empty  int
}

// page notes a page that is not the last, by the key of its first object, nil if it
// holds none, and reports whether it may lead to an end.
func (p *progress) page(first *types.NamespacedName) bool {
	if first == nil {
		p.empty++
		return p.empty < maxEmptyPages
	}
	p.empty = 0
	if _, repeated := p.firsts[*first]; repeated {
		return false
	}
	if p.firsts == nil {
		p.firsts = make(map[types.NamespacedName]struct{})
	}
	p.firsts[*first] = struct{}{}
	return true
}
