// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package trigger

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A delay that ends during the loop body of its key makes the key ready once.
func TestDelayThatEndsDuringALoopBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, key := newQueue(), Key{Name: "pump"}
		q.add(key, Cause{Edge: "own", Count: 1}, 0)
		e, _ := q.take(t.Context())
		q.add(key, Cause{Edge: "secrets", Count: 1}, time.Second)
		time.Sleep(2 * time.Second)
		q.done(e)
		q.add(key, Cause{Edge: "own", Count: 1}, 0)
		if e, causes := q.pop(); e == nil || len(causes) != 2 {
			t.Errorf("the causes are %v", causes)
		}
		if e, causes := q.pop(); e != nil {
			t.Errorf("the key is ready twice, the second time because of %v", causes)
		}
	})
}

// A loop whose context ends when a key becomes ready leaves the key to another loop.
func TestKeyIsLeftToAnotherLoop(t *testing.T) {
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			q, taken := newQueue(), make(chan *entry, 2)
			first, cancel := context.WithCancel(t.Context())
			for _, ctx := range []context.Context{first, t.Context()} {
				go func() { e, _ := q.take(ctx); taken <- e }()
			}
			synctest.Wait()
			q.add(Key{Name: "pump"}, Cause{Edge: "own", Count: 1}, 0)
			cancel()
			synctest.Wait()
			if e := <-taken; e == nil {
				<-taken // or all goroutines are blocked, which fails
			}
		})
	}
}
