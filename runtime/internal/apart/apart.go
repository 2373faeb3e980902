// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apart calls foreign functions where they may end their goroutine.
//
// runtime.Goexit, which FailNow of package testing calls, cannot be recovered from: it
// ends the goroutine that it is called on, with whatever that was about to do. A call on
// a goroutine of its own costs about a microsecond, so that this is for what is called
// seldom, and for a function that has ended a goroutine before.
package apart

// Call calls f on a goroutine of its own, waits for that to end, and says whether f has
// returned or, if not, what it has panicked with: nil if it has ended the goroutine.
func Call(f func()) (returned bool, odd any) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer func() { odd = recover() }()
		f()
		returned = true
	}()
	<-over
	return returned, odd
}
