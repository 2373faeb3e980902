// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package hub

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// reluctant is an inbox that takes a second to say what comes next.
type reluctant struct {
	inbox[pod]
	deliveries int
}

func (b *reluctant) Next() (d Delivery[pod], ok bool) {
	if b.deliveries == 3 {
		return d, false
	}
	b.deliveries++
	time.Sleep(time.Second)
	added := store.Change[pod]{New: &metav1.PartialObjectMetadata{}, Type: store.Added}
	return Delivery[pod]{Changes: []store.Change[pod]{added, added}}, true
}

func (b *reluctant) Called() {}

// How long a handler's calls take does not include what it takes to find out what to call
// it with.
func TestLatencyIsThatOfTheHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := New(Config[pod]{Objects: store.ForObjects[pod]().Reader()})
		l := h.Add(Options[pod]{Call: func(store.Change[pod], bool) { time.Sleep(time.Minute) }})
		l.inbox = &reluctant{}
		if !l.drainInbox(t.Context(), nil) {
			t.Error("not idle")
		}
		if d := l.timings.calls.Distribution(); d.Count() != 6 || d.Sum != 6*time.Minute {
			t.Errorf("%d calls took %v", d.Count(), d.Sum)
		}
	})
}
