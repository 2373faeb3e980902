// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package absence

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Informer is an informer of one of Types, and what its handler was notified of.
type Informer struct {
	Of       string // what kind of informer
	Resource string
	Present  func() (present bool, changed <-chan struct{})
	Objects  func() ([]metav1.Object, error) // what reads find

	mu      sync.Mutex
	known   map[string]string
	left    int // times that it became absent
	strange []string
}

// Added, Updated and Deleted are what the handler of the informer calls.
func (i *Informer) Added(o metav1.Object)   { i.note("add", o) }
func (i *Informer) Updated(o metav1.Object) { i.note("update", o) }
func (i *Informer) Deleted(o metav1.Object) { i.note("delete", o) }

func (i *Informer) note(call string, o metav1.Object) {
	i.mu.Lock()
	defer i.mu.Unlock()
	key := o.GetNamespace() + "/" + o.GetName()
	if _, known := i.known[key]; known == (call == "add") {
		i.strange = append(i.strange, call+" "+key)
	}
	if call == "delete" {
		delete(i.known, key)
		return
	}
	if i.known == nil {
		i.known = map[string]string{}
	}
	add(i.known, o)
}

// follow counts how often the informer becomes absent, until ctx ends.
func (i *Informer) follow(ctx context.Context) {
	for was := false; ; {
		present, changed := i.Present()
		if was && !present {
			i.mu.Lock()
			i.left++
			i.mu.Unlock()
		}
		was = present
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// take returns how often the informer has become absent, and calls of its handler that do not follow. It forgets
// both.
func (i *Informer) take() (left int, strange []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	left, strange = i.left, i.strange
	i.left, i.strange = 0, nil
	return left, strange
}

// check says how the informer differs from the server, which serves its type with the objects want, or does not
// if want is nil.
func (i *Informer) check(want map[string]string) string {
	if present, _ := i.Present(); present != (want != nil) {
		return fmt.Sprintf("Present is %v", present)
	}
	got := map[string]string{}
	objects, err := i.Objects()
	if err != nil {
		return err.Error()
	}
	for _, o := range objects {
		add(got, o)
	}
	if !maps.Equal(got, want) {
		return fmt.Sprintf("it has %v, the server %v", got, want)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if !maps.Equal(i.known, want) {
		return fmt.Sprintf("its handler knows %v, the server has %v", slices.Collect(maps.Keys(i.known)), want)
	}
	return ""
}
