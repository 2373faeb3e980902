// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package identity names objects that are not decoded.
package identity

import (
	"bytes"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/types"
)

// Identity names one state of an object, as read from its text or message without decoding the rest.
// Absent fields are empty. The fields alias the text.
type Identity struct{ Namespace, Name, ResourceVersion []byte }

// Key returns the key of the object. ok is false if it is absent, or not what the object is decoded to:
// an identity has the bytes of a string, with escape sequences.
func (id Identity) Key() (key types.NamespacedName, ok bool) {
	key = types.NamespacedName{Namespace: string(id.Namespace), Name: string(id.Name)}
	return key, len(id.Name) > 0 && isPlain(id.Name) && isPlain(id.Namespace)
}

func isPlain(text []byte) bool { return utf8.Valid(text) && bytes.IndexByte(text, '\\') < 0 }
