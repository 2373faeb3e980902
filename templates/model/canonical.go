// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// Conversion describes how to convert values to keys if == is not their equality.
type Conversion struct {
	Func  Ident  // the runtime function that makes the key: canonical.TimeOf; empty if Given is the key
	Given GoType // the type that Func and queries take: time.Time

	Select  string // the field of the value that Func takes: Time of a metav1.Time; "" for the value itself
	Unset   bool   // a value whose IsZero is true has no key
	NilSafe bool   // IsZero may be called on a nil pointer, and returns true
}

// Compares reports whether the key of the part is ordered by its method Compare.
func (p *Part) Compares() bool { return p.Convert != nil && p.Convert.Func != Ident{} }

// QueryType returns the type that queries take for the part.
func (p *Part) QueryType() GoType {
	if p.Convert != nil {
		return p.Convert.Given
	}
	return p.Type
}

// TimeKeys returns the key type of times, and the conversion from a time.Time.
func TimeKeys() (GoType, *Conversion) {
	return GoType{Ident: Ident{Canonical, "Time"}},
		&Conversion{Func: Ident{Canonical, "TimeOf"}, Given: GoType{Ident: Ident{Time, "Time"}}, Unset: true}
}

// QuantityKeys returns the key type of quantities, and the conversion from a resource.Quantity.
func QuantityKeys() (GoType, *Conversion) {
	return GoType{Ident: Ident{Canonical, "Quantity"}},
		&Conversion{Func: Ident{Canonical, "QuantityOf"}, Given: GoType{Ident: Ident{Resource, "Quantity"}}}
}

// DurationKeys returns the key type of durations, and the conversion from a metav1.Duration.
func DurationKeys() (GoType, *Conversion) {
	duration := GoType{Ident: Ident{Time, "Duration"}}
	return duration, &Conversion{Given: duration, Select: "Duration"}
}

// IsQuantity reports whether the values are quantities, which have no key of their own.
func (p *Part) IsQuantity() bool { return p.QueryType().Ident == Ident{Resource, "Quantity"} }

// IsKey reports whether the values are keys of objects.
func (p *Part) IsKey() bool { return p.Type.Ident == Ident{Types, "NamespacedName"} }

// IsGroupKind reports whether the values are kinds.
func (p *Part) IsGroupKind() bool { return p.Type.Ident == Ident{Schema, "GroupKind"} }

// skipKeyConversions keeps the values of an index as queries take them: keys of caches of other projects are strings,
// which are made of values later.
func (ix *Index) skipKeyConversions() {
	for _, source := range ix.Sources() {
		for _, part := range source.partsAndElse() {
			if part.Convert != nil {
				kept := *part.Convert
				kept.Func, part.Convert, part.Type = Ident{}, &kept, kept.Given
			}
		}
		if !ix.Composite() && ix.Kind != Labels {
			source.Value = source.Parts[0].Type
		}
	}
}
