// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package canonical

import (
	"math/big"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Quantity is a number, coefficient × 10^exponent, with the shortest possible coefficient.
// Two Quantities are equal under == if their numbers are equal. It is exact, also for numbers
// of more than 64 bits. The zero Quantity is 0.
type Quantity struct {
	coefficient int64
	exponent    int32
	digits      string // the coefficient in decimal, with its sign, if 64 bits do not hold it
}

// QuantityOf returns the key of q. It does not change q. For whole numbers and thousandths
// below 2^63, which are nearly all, it does not allocate.
func QuantityOf(q resource.Quantity) Quantity {
	if n, ok := q.AsInt64(); ok {
		return shortest(n, 0)
	}
	if n := q.MilliValue(); q.Cmp(*resource.NewMilliQuantity(n, resource.DecimalSI)) == 0 {
		return shortest(n, -3)
	}
	d := q.AsDec() // changes the copy q only; it shares the number with the caller's
	exponent := -int32(d.Scale())
	if unscaled := d.UnscaledBig(); unscaled.IsInt64() {
		return shortest(unscaled.Int64(), exponent)
	}
	digits := d.UnscaledBig().String()
	short := strings.TrimRight(digits, "0")
	exponent += int32(len(digits) - len(short)) //nolint:gosec // fewer than 2^31 digits
	if n, err := strconv.ParseInt(short, 10, 64); err == nil {
		return shortest(n, exponent)
	}
	return Quantity{exponent: exponent, digits: short}
}

// shortest moves trailing zeros of the coefficient to the exponent.
func shortest(coefficient int64, exponent int32) Quantity {
	if coefficient == 0 {
		return Quantity{}
	}
	for coefficient%10 == 0 {
		coefficient /= 10
		exponent++
	}
	return Quantity{coefficient: coefficient, exponent: exponent}
}

// Quantity returns the number as a resource.Quantity.
func (q Quantity) Quantity() resource.Quantity {
	out := resource.NewScaledQuantity(q.coefficient, resource.Scale(q.exponent))
	if q.digits != "" {
		if unscaled, ok := new(big.Int).SetString(q.digits, 10); ok {
			out.AsDec().SetUnscaledBig(unscaled)
		}
	}
	return *out
}

// String formats the number like resource.Quantity, with a decimal suffix.
func (q Quantity) String() string {
	out := q.Quantity()
	return out.String()
}

// Compare returns -1 if q is smaller than other, 0 if they are equal, and 1 if q is larger. It
// is exact. It allocates only for numbers of more than 64 bits, and for exponents that differ by 19 or more.
func (q Quantity) Compare(other Quantity) int {
	a := q.Quantity()
	return a.Cmp(other.Quantity())
}
