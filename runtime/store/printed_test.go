// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"testing"
	"time"
)

// skey is a key whose String method reads the store.
type skey string

var skeyReads func()

func (k skey) String() string { skeyReads(); return string(k) }

func TestKeyThatReadsTheStoreWhenPrinted(t *testing.T) {
	s := New(func(o *thing) skey { return skey(o.Name) })
	AddIndex(s, "Node", func(dst []string, o *thing) []string { return append(dst, o.Node) })
	skeyReads = func() { s.Reader().Len() }
	o := &thing{Name: "a", Node: "1"}
	_ = s.Set(o)
	o.Node = "2" // somebody writes to a cached object
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Set(&thing{Name: "a", Node: "3"}) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("Set hangs: fmt.Sprint(key) runs under a lock")
	}
}
