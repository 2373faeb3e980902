// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package resourceversion compares resourceVersions. Its contract is that of
// CompareResourceVersion in apimachinery, which came with v0.35.
package resourceversion

import (
	"cmp"
	"fmt"
	"strings"
)

// Compare returns -1 if a is older than b, 0 if they are equal, and 1 if a is newer. Both
// must be versions of objects of one resource. It returns an error if one of them is not
// a positive decimal number without leading zeros: such versions have no order. A number
// may have any length.
func Compare(a, b string) (int, error) {
	for _, version := range []string{a, b} {
		if err := Check(version); err != nil {
			return 0, err
		}
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)), nil
}

// Check returns an error if version has no order; see Compare.
func Check(version string) error {
	if version == "" || version[0] == '0' || strings.Trim(version, "0123456789") != "" {
		return fmt.Errorf("resource version is not well formed: %q", version)
	}
	return nil
}
