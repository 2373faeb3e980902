// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest

// Fill sets in w, such as a generated indexer, copies of those objs that have the type of its objects. So one list of
// objects fills several indexers, and a fake client. Build the client first: it may give the objects resourceVersions.
func Fill[T, O any](w interface{ Set(obj T) error }, objs []O) error {
	for _, obj := range objs {
		if obj, ok := any(obj).(T); ok {
			if err := w.Set(copyOf(obj)); err != nil {
				return err
			}
		}
	}
	return nil
}
