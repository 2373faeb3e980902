// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// errNoKind says that a list is of no use to a type that must know the kind of
// an object: every item would fail, and the list pass for an empty one.
var errNoKind = errors.New("neither the object nor the list, before its items, says of what kind it is")

// itemKind is what a list says of its items by its own kind and apiVersion.
//
// API servers leave both out in the items of lists of built-in types, and not in
// the objects of watches. A type that decodes itself, as unstructured.Unstructured
// does, may be nothing without them, so an item that has neither gets both, as
// from client-go's UnstructuredList. All other types do without.
type itemKind struct{ kind, apiVersion string }

// setKind notes the kind of the list.
func (k *itemKind) setKind(list string) { k.kind = strings.TrimSuffix(list, "List") }

func (k *itemKind) known() bool { return k.kind != "" }

// complete returns a copy of the JSON object text with the kind and apiVersion as
// its last members, which count if there are others; or text if there is nothing
// to add.
func (k *itemKind) complete(text []byte) []byte {
	end := bytes.LastIndexByte(text, '}')
	if !k.known() || end < 0 {
		return text
	}
	members, err := json.Marshal(struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind"`
	}{k.apiVersion, k.kind})
	if err != nil {
		return text
	}
	out := append(make([]byte, 0, end+len(members)), text[:end]...)
	if len(bytes.TrimSpace(text[1:end])) > 0 {
		out = append(out, ',')
	}
	return append(out, members[1:]...) // less the opening bracket
}

// isUntyped reports whether the JSON object raw has neither a kind nor an apiVersion.
func isUntyped(raw []byte) bool {
	untyped := true
	members(raw, func(name string, value []byte) bool {
		if name == "kind" || name == "apiVersion" {
			text := stringOf(value)
			untyped = untyped && (text == nil || *text == "")
		}
		return untyped
	})
	return untyped
}
