// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// What a server says through a typed client is short and clean, and still a Status.
func TestErrorsOfClientsAreTruncated(t *testing.T) {
	long := strings.Repeat("\x1b[2J\n", 1<<20)
	status := apierrors.NewTimeoutError(long, 3)
	status.ErrStatus.Details.Causes = []metav1.StatusCause{
		{Type: metav1.CauseTypeResourceVersionTooLarge, Message: long},
	}
	check := func(from string, err error, isStatus bool) {
		t.Helper()
		if err == nil {
			t.Fatalf("%s: no error", from)
		}
		if text := err.Error(); len(text) > truncate.MaxText || strings.ContainsAny(text, "\x1b\n") {
			t.Errorf("%s: %d bytes: %.100q", from, len(text), text)
		}
		if got := apierrors.IsTimeout(err) && apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge); got != isStatus {
			t.Errorf("%s: a timeout with its cause: %v", from, got)
		}
	}
	for name, failure := range map[string]error{"a Status": status, "a wrapped Status": fmt.Errorf("list: %w", status)} {
		src := from(&client{err: failure})
		_, err := src.List(t.Context(), metav1.ListOptions{}, func(source.Delta[*object], error) error { return nil })
		check(name+" of a list", err, true)
		_, err = collect(t, src)
		check(name+" of a watch", err, true)
	}
	for name, event := range map[string]watch.Event{
		"a Status":         {Type: watch.Error, Object: &status.ErrStatus},
		"another object":   {Type: watch.Error, Object: &object{ObjectMeta: metav1.ObjectMeta{Name: long}}},
		"an unknown type":  {Type: watch.EventType(long), Object: &object{}},
		"an odd bookmark":  {Type: watch.Bookmark, Object: &runtime.Unknown{Raw: []byte(long)}},
		"an odd long type": {Type: watch.EventType(long), Object: &runtime.Unknown{}},
	} {
		_, err := collect(t, from(&client{watch: record(event).ended()}))
		check(name+" of an event", err, name == "a Status")
	}
}
