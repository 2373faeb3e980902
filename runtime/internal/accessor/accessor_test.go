// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package accessor

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type pointed struct{ *metav1.ObjectMeta }

func TestMetadata(t *testing.T) {
	sound := &pointed{&metav1.ObjectMeta{Namespace: "ns", Name: "a"}}
	if key, err := Key(sound); err != nil || key.String() != "ns/a" {
		t.Errorf("%v, %v", key, err)
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = Key(sound) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNoMetadata(t *testing.T) {
	_, err := Key(&pointed{})
	for _, part := range []string{"*accessor.pointed", "nil pointer", "embed metav1.ObjectMeta"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v lacks %q", err, part)
		}
	}
}
