// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fieldpath parses the paths of index markers, a subset of JSONPath:
//
//	.spec.nodeName                    a field, by its JSON name
//	.spec.volumes[*].name             every element of a list, every value of a map
//	.metadata.labels['app']           the value of a map under a key
//	.conditions[?(@.type=="Ready")]   the elements with that text in a field
//	.listeners[?(@.tls.mode=="None")] the same of a field below the element
//	.endpoints[?(@.ready==true)]      the elements with that boolean
//
// The conditions of filters are also those of if=: [ParseCondition].
//
// A leading $ is allowed. Other JSONPath syntax (positions, slices, other filters, recursive
// descent) is an error that names the syntax.
//
// The input is text and the output is a [Path]. The package does not know Go types; package
// index resolves paths.
package fieldpath
