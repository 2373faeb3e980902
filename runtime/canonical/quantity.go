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
// is exact. It allocates only for coefficients of more than 64 bits.
func (q Quantity) Compare(other Quantity) int {
	sign := q.sign()
	by := cmp.Compare(sign, other.sign())
	switch {
	case by != 0 || sign == 0:
		return by
	case q.digits == "" && other.digits == "":
		return sign * compareMagnitudes(magnitude(q.coefficient), magnitude(other.coefficient), q.exponent, other.exponent)
	}
	// Compare the powers of ten of the first digits. If they are equal, compare the digits as
	// text. No coefficient ends with a zero, so if one is a prefix of the other, the longer
	// one is larger.
	a, b := q.unsigned(), other.unsigned()
	by = cmp.Compare(int64(len(a))+int64(q.exponent), int64(len(b))+int64(other.exponent))
	return sign * cmp.Or(by, strings.Compare(a, b))
}

// compareMagnitudes compares a × 10^x with b × 10^y.
func compareMagnitudes(a, b uint64, x, y int32) int {
	if by := cmp.Compare(int64(length(a))+int64(x), int64(length(b))+int64(y)); by != 0 {
		return by
	}
	// Scale both to the same exponent. Their first digits have the same power of ten, so the
	// scaled number has as many digits as the other one and fits into 64 bits.
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

// magnitude returns the absolute value of n. It is correct for math.MinInt64 too.
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
