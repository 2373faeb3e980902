// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// Referent is the kind of object that a reference points to.
type Referent struct {
	Kind, Group string // Kind is "" if the marker does not say
	Namespaced  bool
}

// String returns the text of to=: Kind.group, or Kind for the core group.
func (r *Referent) String() string {
	if r.Group == "" {
		return r.Kind
	}
	return r.Kind + "." + r.Group
}
