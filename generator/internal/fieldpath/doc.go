// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fieldpath parses the paths of index markers: the part of JSONPath that
// Kubernetes users write.
//
//	.spec.nodeName                    a field, by its JSON name
//	.spec.volumes[*].name             every element of a list, every value of a map
//	.metadata.labels['app']           the value of a map under a key
//	.conditions[?(@.type=="Ready")]   elements of which a field is that text
//
// A leading $ is allowed. Everything else that JSONPath has (positions, slices,
// other filters, recursive descent) is refused by name, so that a reader learns that it
// is not a typing mistake. The package knows nothing of Go types: whether the path
// leads anywhere is for the resolver to say.
package fieldpath
