// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// Conversion says how values that == does not compare rightly become keys.
type Conversion struct {
	Func  Ident  // the function of the runtime that makes the key: canonical.TimeOf
	Given GoType // what it takes, and what queries are asked for: time.Time

	Select  string // the field of the value that Func takes: Time, of a metav1.Time; "" for the value itself
	Unset   bool   // a value whose IsZero is true is not set, and has no key
	NilSafe bool   // IsZero may be called on a nil pointer, and is true then
}

// Asked returns the type by which a query asks for the part.
func (p *Part) Asked() GoType {
	if p.Convert != nil {
		return p.Convert.Given
	}
	return p.Type
}

// TimeKeys returns the key of instants, and how it is made of a time.Time.
func TimeKeys() (GoType, *Conversion) {
	return GoType{Ident: Ident{Canonical, "Time"}},
		&Conversion{Func: Ident{Canonical, "TimeOf"}, Given: GoType{Ident: Ident{Time, "Time"}}, Unset: true}
}

// QuantityKeys returns the key of quantities, and how it is made of one.
func QuantityKeys() (GoType, *Conversion) {
	return GoType{Ident: Ident{Canonical, "Quantity"}},
		&Conversion{Func: Ident{Canonical, "QuantityOf"}, Given: GoType{Ident: Ident{Resource, "Quantity"}}}
}
