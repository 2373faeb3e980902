// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/fields"
)

// The Accept headers for metadata. Servers that cannot send metadata alone, such as some aggregated
// ones, send whole objects, which decode to the same result at a higher cost.
const (
	acceptMetadataList   = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
	acceptMetadataObject = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
)

// checkHasMetadata returns an error for a struct without metadata, whose objects would have no name.
func checkHasMetadata(t reflect.Type) error {
	if _, has := fields.ByName(t)["metadata"]; has || decodesItself(t) {
		return nil
	}
	return fmt.Errorf("the type %v has no field for \"metadata\", so its objects would have no name; "+
		"give its ObjectMeta the tag `json:\"metadata\"`", t)
}

// hasOnlyMetadata reports whether t has metadata and, besides the kind, no other fields.
func hasOnlyMetadata(t reflect.Type) bool {
	if decodesItself(t) {
		return false
	}
	members := fields.ByName(t)
	_, has := members["metadata"]
	for name := range members {
		has = has && (name == "metadata" || name == "kind" || name == "apiVersion")
	}
	return has
}
