// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister

import (
	"strings"

	"k8s.io/apimachinery/pkg/types"
)

// AppendReference appends the key of the object that text refers to. Text is a name in the given namespace,
// or namespace/name. An empty text refers to no object. Neither does a name without a namespace, a text with
// more slashes or one with an empty part. The generated index functions of references call it.
func AppendReference(dst []types.NamespacedName, namespace, text string) []types.NamespacedName {
	name := text
	if before, after, found := strings.Cut(text, "/"); found {
		namespace, name = before, after
		if strings.Contains(name, "/") {
			return dst
		}
	}
	if namespace == "" || name == "" {
		return dst
	}
	return append(dst, types.NamespacedName{Namespace: namespace, Name: name})
}
