// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package intern

import (
	"bytes"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type fieldsV1 = metav1.FieldsV1

// FieldsV1 sets into to the fieldsV1 that was decoded from raw before, or else calls decode, which copies
// raw. apimachinery's build tag fieldsv1string has the same aim: fieldsV1 are large, half of each object
// in hack/syncbench, and repeat. They must not be modified in place. If one was modified, it is not
// shared again.
func (c *Cache) FieldsV1(into *fieldsV1, raw []byte, decode func() error) error {
	found, ok, keep := c.fields.get(&c.fieldsSite, 0, raw)
	if ok && IsFieldsV1(&found.value, raw) {
		*into = found.value
		return nil
	}
	*into = fieldsV1{}
	if err := decode(); err != nil {
		return err
	}
	if keep || ok {
		c.fields.put(0, raw, *into, len(raw))
	}
	return nil
}

// IsFieldsV1 reports whether f has the JSON raw; null means none. It uses MarshalJSON, which returns
// the bytes of f, because apimachinery before v0.36 has no GetRawBytes, and there is no field Raw with
// the build tag fieldsv1string.
func IsFieldsV1(f *fieldsV1, raw []byte) bool {
	held, err := f.MarshalJSON()
	return err == nil && bytes.Equal(held, raw)
}
