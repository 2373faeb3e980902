// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package delta_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestTypeString(t *testing.T) {
	for typ, want := range map[delta.Type]string{
		0: "Type(0)", delta.Added: "Added", delta.Stale: "Stale", delta.Kept: "Kept", delta.InitialEnd + 1: "Type(12)", 255: "Type(255)",
	} {
		if got := typ.String(); got != want {
			t.Errorf("Type(%d) is %q, want %q", uint8(typ), got, want)
		}
	}
}

func TestKeyOf(t *testing.T) {
	key, err := delta.KeyOf(&metav1.ObjectMeta{Namespace: "n", Name: "m"})
	if err != nil || key.String() != "n/m" {
		t.Errorf("got %v, %v", key, err)
	}
	if _, err := delta.KeyOf(&metav1.ObjectMeta{Namespace: "n"}); !errors.Is(err, delta.ErrNoName) {
		t.Errorf("got %v", err)
	}
	var none *metav1.ObjectMeta
	if _, err := delta.KeyOf(none); !errors.Is(err, delta.ErrNilObject) {
		t.Errorf("got %v", err)
	}
	if _, err := delta.KeyOf(struct{ *metav1.ObjectMeta }{}); err == nil || !strings.Contains(err.Error(), "embed metav1.ObjectMeta") {
		t.Errorf("without metadata: %v", err)
	}
	if _, err := delta.KeyOf[metav1.Object](nil); !errors.Is(err, delta.ErrNilObject) {
		t.Errorf("got %v", err)
	}
}
