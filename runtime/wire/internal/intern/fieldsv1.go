// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package intern

import (
	"bytes"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fieldsV1Place stands for all places of fieldsV1, which have equal ones.
var fieldsV1Place = Places.Next()

// FieldsV1 sets into to the fieldsV1 that was decoded from raw before, or else calls decode, which copies
// raw. apimachinery's build tag fieldsv1string has the same aim: fieldsV1 are large, half of each object
// in hack/syncbench, and repeat. They must not be modified in place. If one was modified, it is not
// shared again.
func (c *Cache) FieldsV1(into *metav1.FieldsV1, raw []byte, decode func() error) error {
	found, _, keep := c.Value(fieldsV1Place, raw)
	if found.IsValid() {
		if shared := found.Addr().Interface().(*metav1.FieldsV1); IsFieldsV1(shared, raw) {
			*into = *shared
			return nil
		}
	}
	*into = metav1.FieldsV1{}
	err := decode()
	if err == nil && (keep || found.IsValid()) {
		c.Keep(fieldsV1Place, raw, reflect.ValueOf(into).Elem(), len(raw))
	}
	return err
}

// IsFieldsV1 reports whether f has the JSON raw; null means none. It uses MarshalJSON, which returns
// the bytes of f, because apimachinery before v0.36 has no GetRawBytes, and there is no field Raw with
// the build tag fieldsv1string.
func IsFieldsV1(f *metav1.FieldsV1, raw []byte) bool {
	held, err := f.MarshalJSON()
	return err == nil && bytes.Equal(held, raw)
}
