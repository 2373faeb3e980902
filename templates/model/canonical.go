// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// Conversion says how values that == does not compare rightly become keys.
type Conversion struct {
	Func  Ident  // the function of the runtime that makes the key: canonical.TimeOf; none if what is given is one
	Given GoType // what it takes, and what queries are asked for: time.Time

	Select  string // the field of the value that is taken: Time, of a metav1.Time; "" for the value itself
	Unset   bool   // a value whose IsZero is true is not set, and has no key
	NilSafe bool   // IsZero may be called on a nil pointer, and is true then
}

// Compares reports whether the key of the part has an order by its method Compare.
func (p *Part) Compares() bool { return p.Convert != nil && p.Convert.Func != Ident{} }

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

// DurationKeys returns the key of durations, and how it is taken of a metav1.Duration.
func DurationKeys() (GoType, *Conversion) {
	duration := GoType{Ident: Ident{Time, "Duration"}}
	return duration, &Conversion{Given: duration, Select: "Duration"}
}
