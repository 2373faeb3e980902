// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package inprocess

import (
	"io"
	"sync"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
)

// klogOutput is where the messages of klog go. There is one klog in a process
// and its logger may be set only while nothing logs, so ours is set once and
// the writer behind it is exchanged.
var klogOutput klogWriter

type klogWriter struct {
	once sync.Once
	mu   sync.Mutex
	turn int // counts the writers
	w    io.Writer
}

// Write writes to the writer of the moment.
func (k *klogWriter) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.w.Write(p)
}

func (k *klogWriter) set(w io.Writer) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.w = w
	k.turn++
	return k.turn
}

// sendKlog sends the messages of klog to w, until another call or until stop is
// called. Messages after stop, such as those of goroutines of a stopped API
// server, are discarded.
func sendKlog(w io.Writer) (stop func()) {
	turn := klogOutput.set(w)
	klogOutput.once.Do(func() {
		klog.SetLogger(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&klogOutput))))
	})
	return func() {
		klogOutput.mu.Lock()
		defer klogOutput.mu.Unlock()
		if klogOutput.turn == turn {
			klogOutput.w = io.Discard
		}
	}
}
