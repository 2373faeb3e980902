// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sharding sets and reads the API fields of sharded lists and watches (KEP-5866).
// They came with apimachinery v0.36.0. The runtime builds with older ones too, so it finds
// the fields by name.
package sharding

import (
	"errors"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ErrUnsupported is returned by SetSelector if ListOptions has no ShardSelector.
var ErrUnsupported = errors.New("shards need k8s.io/apimachinery v0.36.0 or newer, and this program is built with an older one; raise all k8s.io modules together")

var (
	selector, hasSelector = reflect.TypeFor[metav1.ListOptions]().FieldByName("ShardSelector")
	info, hasInfo         = reflect.TypeFor[metav1.ListMeta]().FieldByName("ShardInfo")
)

// Supported reports whether this program's apimachinery has the fields.
func Supported() bool { return hasSelector && hasInfo }

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

// SetInfo notes in meta that the server divided the list by the selector text.
func SetInfo(meta *metav1.ListMeta, text string) {
	if !Supported() {
		return
	}
	said := reflect.New(info.Type.Elem())
	said.Elem().FieldByName("Selector").SetString(text)
	reflect.ValueOf(meta).Elem().FieldByIndex(info.Index).Set(said)
}

// CopyInfo sets the ShardInfo of meta to that of list, if list has one.
func CopyInfo(meta *metav1.ListMeta, list metav1.ListInterface) {
	if !Supported() {
		return
	}
	get := reflect.ValueOf(list).MethodByName("GetShardInfo")
	if get.IsValid() && get.Type() == reflect.FuncOf(nil, []reflect.Type{info.Type}, false) {
		reflect.ValueOf(meta).Elem().FieldByIndex(info.Index).Set(get.Call(nil)[0])
	}
}

// HasInfo reports whether meta says that the server divided the list.
func HasInfo(meta metav1.ListMeta) bool {
	return Supported() && !reflect.ValueOf(meta).FieldByIndex(info.Index).IsNil()
}
