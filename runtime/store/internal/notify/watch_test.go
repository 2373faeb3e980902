// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package notify

import "testing"

// every is a query that fires at each write.
type every struct{}

func (every) Watch(w *List, sig *Signal) (unwatch func()) { return w.Every(sig) }

// A signal is in each list once, and in none after it was canceled, even if nothing was written.
func TestListTakesLittleMemory(t *testing.T) {
	var w List
	cancel := w.Register(NewSignal(), every{})
	for range 3 {
		w.Note(func(func(*Signal)) {})
	}
	if len(w.registeredSinceFire) != 1 || len(w.dueSignals) != 1 || len(w.everyWrite) != 1 {
		t.Errorf("a signal is in lists %v, %v and %v", w.registeredSinceFire, w.dueSignals, w.everyWrite)
	}
	w.Fire()
	if w.registeredSinceFire[:1][0] != nil || w.dueSignals[:1][0] != nil {
		t.Error("a signal that has fired is kept")
	}
	cancel()
	if len(w.registeredSinceFire)+len(w.dueSignals)+len(w.everyWrite) > 0 || w.Watched() {
		t.Errorf("lists have a signal that was canceled: %v, %v, %v", w.registeredSinceFire, w.dueSignals, w.everyWrite)
	}
}
