// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package slim_test

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/slim"
)

func TestWhatIsAbsentIsEmpty(t *testing.T) {
	var m slim.Meta
	m.SetNamespace("ns")
	m.SetName("n")
	m.SetUID("u")
	m.SetResourceVersion("7")
	m.SetLabels(map[string]string{"a": "b"})
	m.SetFinalizers([]string{"f"})
	if want := (slim.Meta{Namespace: "ns", Name: "n", UID: "u", ResourceVersion: "7"}); m != want {
		t.Errorf("%+v", m)
	}
	if m.GetLabels() != nil || m.GetFinalizers() != nil || m.GetDeletionTimestamp() != nil ||
		m.GetNamespace() != "ns" ||
		m.GetResourceVersion() != "7" {
		t.Errorf("%+v", m)
	}
	l := slim.Labeled{Meta: m}
	l.SetLabels(map[string]string{"a": "b"})
	if l.GetLabels()["a"] != "b" || l.GetName() != "n" {
		t.Errorf("%+v", l)
	}
}
