// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// AnyKind is the kind of references to objects of any kind.
const AnyKind = "*"

// Referent is the kind of object that a reference points to.
type Referent struct {
	Kind, Group string // Kind is "" if the marker does not say
	Namespaced  bool
	AnyScope    bool // of any kind: Namespaced, or cluster-scoped for an empty namespace
}

// Absence says what an absent field of a reference means.
type Absence struct {
	Field string `json:"field"`          // kind, group or namespace
	Means string `json:"means"`          // the kind, group or namespace; "any kind" if nothing says it
	From  string `json:"from,omitempty"` // what says so
}

// String returns the text of to=: Kind.group, or Kind for the core group.
func (r *Referent) String() string {
	if r.Group == "" {
		return r.Kind
	}
	return r.Kind + "." + r.Group
}

// Scope returns the scope of the target: Cluster, Namespaced, or Any if it is not known.
func (r *Referent) Scope() string {
	switch {
	case r.AnyScope:
		return "Any"
	case r.Namespaced:
		return "Namespaced"
	}
	return "Cluster"
}

// Open holds the fields of the kind in references to objects of any kind.
type Open struct {
	Kind, Group OpenField
	Version     bool   // Group is an apiVersion
	Parsed, Err string // of Version: the variables of what it is parsed to
	Var         string // the variable of the group and kind
}

// OpenField is a field of a reference.
type OpenField struct {
	Part    *Part  // nil if the struct lacks the field
	Default string // what an absent field means
	Var     string
}
