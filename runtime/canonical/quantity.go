// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package canonical

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Quantity is a number, coefficient × 10^exponent, with the shortest coefficient
// that there is: equal for equal numbers, however they are written. It is exact
// also where resource.Quantity leaves 64 bits. The zero Quantity is 0.
type Quantity struct {
	coefficient int64
	exponent    int32
	digits      string // the coefficient in decimal, with its sign, if 64 bits do not hold it
}

// QuantityOf returns the key of q, which it does not change. It does not allocate
// for whole numbers and thousandths below 2^63, which are nearly all that occur.
func QuantityOf(q resource.Quantity) Quantity {
	if n, ok := q.AsInt64(); ok {
		return shortest(n, 0)
	}
	if n := q.MilliValue(); q.Cmp(*resource.NewMilliQuantity(n, resource.DecimalSI)) == 0 {
		return shortest(n, -3)
	}
	d := q.AsDec() // of the copy that q is here; the number itself is shared, and only read
	exponent := -int32(d.Scale())
	if unscaled := d.UnscaledBig(); unscaled.IsInt64() {
		return shortest(unscaled.Int64(), exponent)
	}
	digits := d.UnscaledBig().String()
	short := strings.TrimRight(digits, "0")
	exponent += int32(len(digits) - len(short)) //nolint:gosec // nobody has 2^31 digits
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

// Quantity returns the number as apimachinery has it.
func (q Quantity) Quantity() resource.Quantity {
	out := resource.NewScaledQuantity(q.coefficient, resource.Scale(q.exponent))
	if q.digits != "" {
		if unscaled, ok := new(big.Int).SetString(q.digits, 10); ok {
			out.AsDec().SetUnscaledBig(unscaled)
		}
	}
	return *out
}

// String prints the number as apimachinery does, with a suffix of powers of 1000.
func (q Quantity) String() string {
	out := q.Quantity()
	return out.String()
}

// Compare returns -1, 0 or 1: smaller, equal, larger. It is exact, and allocates
// only for numbers that 64 bits do not hold.
func (q Quantity) Compare(other Quantity) int {
	sign := q.sign()
	by := cmp.Compare(sign, other.sign())
	switch {
	case by != 0 || sign == 0:
		return by
	case q.digits == "" && other.digits == "":
		return sign * compareMagnitudes(magnitude(q.coefficient), magnitude(other.coefficient), q.exponent, other.exponent)
	}
	// The first digits of both stand at some power of ten. If that is the same, the
	// digits decide, one after the other: none ends with a zero, so that of two that
	// begin alike the longer is the larger.
	a, b := q.unsigned(), other.unsigned()
	by = cmp.Compare(int64(len(a))+int64(q.exponent), int64(len(b))+int64(other.exponent))
	return sign * cmp.Or(by, strings.Compare(a, b))
}

// compareMagnitudes compares a × 10^x with b × 10^y.
func compareMagnitudes(a, b uint64, x, y int32) int {
	if by := cmp.Compare(int64(length(a))+int64(x), int64(length(b))+int64(y)); by != 0 {
		return by
	}
	// Scale both to the same exponent. Their first digits stand at the same power of
	// ten, so the scaled number has at most 19 digits, as has the other: it fits.
	for ; x > y; x-- {
		a *= 10
	}
	for ; y > x; y-- {
		b *= 10
	}
	return cmp.Compare(a, b)
}

// length counts decimal digits.
func length(n uint64) int {
	digits := 1
	for ; n >= 10; n /= 10 {
		digits++
	}
	return digits
}

// magnitude is the absolute value, also of the lowest number.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n) //nolint:gosec // two's complement is meant
	}
	return uint64(n)
}

func (q Quantity) sign() int {
	if q.digits != "" {
		if q.digits[0] == '-' {
			return -1
		}
		return 1
	}
	return cmp.Compare(q.coefficient, 0)
}

// unsigned returns the digits of the coefficient.
func (q Quantity) unsigned() string {
	if q.digits != "" {
		return strings.TrimPrefix(q.digits, "-")
	}
	return strconv.FormatUint(magnitude(q.coefficient), 10)
}
