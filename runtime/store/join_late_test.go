// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Waits and Epochs from before Join follow the joined sources afterwards.
func TestWaitThatBeganBeforeTheJoin(t *testing.T) {
	for name, test := range map[string]struct {
		before, after func(s fed)
		want          error
	}{
		"nothing before": {
			before: func(fed) {},
			after:  func(s fed) { s.feeder().Join("a"); s.apply("a", "7") },
		},
		"the unnamed source had left": {
			before: func(s fed) { s.apply("", "5"); s.apply("", "", leave) },
			after:  func(s fed) { s.feeder().Join("a"); s.apply("a", "7") },
		},
		"the unnamed source had gone backward and left": {
			before: func(s fed) { s.apply("", "5"); s.apply("", "4", rewind); s.apply("", "", leave) },
			after:  func(s fed) { s.feeder().Join("a"); s.apply("a", "7") },
		},
		"the unnamed source is joined, too": {
			before: func(s fed) { s.apply("", "5"); s.apply("", "4", rewind) },
			after:  func(s fed) { s.feeder().Join("", "a"); s.apply("a", "8"); s.apply("", "7") },
		},
		"the unnamed source is joined, once it has left and come back": {
			before: func(s fed) { s.apply("", "5"); s.apply("", "", leave); s.apply("", "5") },
			after:  func(s fed) { s.feeder().Join("", "a"); s.apply("a", "8"); s.apply("", "7") },
		},
		"the unnamed source goes on alone": {
			before: func(s fed) { s.apply("", "5") },
			after:  func(s fed) { s.feeder().Join("a"); s.apply("a", "9"); s.apply("", "7") },
		},
		"the unnamed source goes backward, not joined": {
			before: func(s fed) { s.apply("", "5") },
			after:  func(s fed) { s.feeder().Join("a"); s.apply("a", "9"); s.apply("", "4", rewind) },
			want:   store.ErrRewound,
		},
		"the unnamed source goes backward, and is joined": {
			before: func(s fed) { s.apply("", "5") },
			after:  func(s fed) { s.apply("", "4", rewind); s.feeder().Join("a", ""); s.apply("a", "9") },
			want:   store.ErrRewound,
		},
		"a joined source goes backward": {
			before: func(s fed) { s.apply("", "5"); s.apply("", "", leave) },
			after:  func(s fed) { s.feeder().Join("a"); s.apply("a", "6"); s.apply("a", "5", rewind) },
			want:   store.ErrRewound,
		},
		"the unnamed source leaves, not joined": {
			before: func(s fed) { s.apply("", "5") },
			after:  func(s fed) { s.feeder().Join("a"); s.apply("a", "9"); s.apply("", "", leave) },
			want:   store.ErrSourceEnded,
		},
		"the unnamed source leaves, and is joined when it is back": {
			before: func(s fed) { s.apply("", "5") },
			after: func(s fed) {
				s.apply("", "", leave)
				s.feeder().Join("", "a")
				s.apply("a", "9")
				s.apply("", "9")
			},
			want: store.ErrSourceEnded,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newFed(t)
				test.before(s)
				mark, wait := s.Reader().Epoch(), s.begin(s.Reader().WaitFor, "7")
				test.after(s)
				if err := <-wait; !errors.Is(err, test.want) {
					t.Errorf("the wait ended with %v, want %v", err, test.want)
				}
				reached, err := s.Reader().Reached(mark, "7")
				if !errors.Is(err, test.want) || reached != (test.want == nil) {
					t.Errorf("of its mark, 7 is reached: %v, %v; want %v", reached, err, test.want)
				}
			})
		})
	}
}

// A wait that begins after Join and one that began before it end alike.
func TestWaitForJoinedThatBeganBeforeTheJoin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFed(t)
		s.apply("", "5")
		s.apply("", "4", rewind)
		s.apply("", "", leave)
		wait := s.begin(s.Reader().WaitForJoined, "7")
		s.feeder().Join("a", "b")
		s.apply("a", "7")
		s.apply("b", "7")
		if err := <-wait; err != nil {
			t.Error(err)
		}
	})
}
