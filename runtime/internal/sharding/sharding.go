// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sharding sets and reads the selector of sharded lists and watches (KEP-5866). The field
// came with apimachinery v0.36.0. The runtime builds with older ones too, so it finds the field by
// name.
package sharding

import (
	"errors"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ErrUnsupported is returned by SetSelector if ListOptions has no ShardSelector.
var ErrUnsupported = errors.New("shards need k8s.io/apimachinery v0.36.0 or newer, and this program is built with an older one; raise all k8s.io modules together")

var selector, supported = reflect.TypeFor[metav1.ListOptions]().FieldByName("ShardSelector")

// Supported reports whether this program's apimachinery has the field.
func Supported() bool { return supported }

// SetSelector sets the ShardSelector of opts.
func SetSelector(opts *metav1.ListOptions, text string) error {
	if !Supported() {
		return ErrUnsupported
	}
	reflect.ValueOf(opts).Elem().FieldByIndex(selector.Index).SetString(text)
	return nil
}

// Selector returns the ShardSelector of opts, or "".
func Selector(opts metav1.ListOptions) string {
	if !Supported() {
		return ""
	}
	return reflect.ValueOf(opts).FieldByIndex(selector.Index).String()
}
