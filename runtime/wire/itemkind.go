// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// errNoKind means that the items need a kind and the list has none. Every item would fail, and the
// list would look empty.
var errNoKind = errors.New("the object has no kind, and the list does not state one before its items")

// itemKind is the kind and apiVersion of a list's items, from those of the list.
//
// API servers omit both in the items of lists of built-in types, but not in watch events. A type that
// decodes itself, like unstructured.Unstructured, may need them. So its items get them, as in
// client-go's UnstructuredList. Other types need no kind.
type itemKind struct{ kind, apiVersion string }

// setKind sets the kind from that of the list.
func (k *itemKind) setKind(list string) { k.kind = strings.TrimSuffix(list, "List") }

func (k *itemKind) known() bool { return k.kind != "" }

// complete returns a copy of the JSON object text with kind and apiVersion as its last members, which
// take precedence. It returns text if the kind is unknown.
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
	f := framerOver(raw)
	return !errors.Is(f.eachMember(func(name string) error {
		value, err := f.value()
		if name == "kind" || name == "apiVersion" {
			if text := stringOf(value); text != nil && *text != "" {
				return errTyped
			}
		}
		return err
	}), errTyped)
}

// errTyped ends the loop of isUntyped.
var errTyped = errors.New("it has a kind")
