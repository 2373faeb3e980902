// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import "k8s.io/apimachinery/pkg/types"

// identity has the fields that identify an object, read without decoding it. A field is nil if it is
// absent or not a string.
type identity struct {
	namespace, name, resourceVersion *string
	// broken is set if the key is uncertain: a part of it is not a string, the metadata is truncated,
	// or there are two metadata members with different keys. Decoders differ in which of two members
	// they use. A null namespace counts as none.
	broken bool
}

// identify reads the identity of an object. The object may be truncated or impossible to decode.
func identify(raw []byte) identity {
	var id identity
	found := 0
	members(raw, func(name string, value []byte) bool {
		if name != "metadata" {
			return true
		}
		before, sure := id.key()
		id = identity{broken: true}
		complete := members(value, func(name string, value []byte) bool {
			switch name {
			case "namespace":
				if string(value) == "null" && id.namespace == nil {
					return true // it reads as "", unless it is there before too
				}
				id.namespace = stringOf(value)
			case "name":
				id.name = stringOf(value)
			case "resourceVersion":
				id.resourceVersion = stringOf(value)
				return true
			default:
				return true
			}
			return stringOf(value) != nil
		})
		id.broken = !complete
		if found++; found > 1 {
			key, ok := id.key()
			id.broken = !ok || !sure || key != before
		}
		return true
	})
	return id
}

// key returns the key of the object, if it is certain.
func (id identity) key() (types.NamespacedName, bool) {
	if id.broken || id.name == nil || *id.name == "" {
		return types.NamespacedName{}, false
	}
	key := types.NamespacedName{Name: *id.name}
	if id.namespace != nil {
		key.Namespace = *id.namespace
	}
	return key, true
}

// version returns the resourceVersion of the object, or "".
func (id identity) version() string {
	if id.resourceVersion == nil {
		return ""
	}
	return *id.resourceVersion
}
