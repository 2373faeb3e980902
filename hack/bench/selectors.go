// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"k8s.io/apimachinery/pkg/labels"
)

// selectorRows list by label selectors that are parsed before, for both sides: from postings, and by matching every
// object.
func selectorRows(w *world, o *ours, t *theirs) []row {
	selectors := values(w, w.apps(), func(i int) labels.Selector {
		return labels.SelectorFromSet(labels.Set{"app": appName(i)})
	})
	return []row{{name: "selector app=x, 200 hits", target: 1000,
		ours: each(selectors, func(s labels.Selector) {
			for p := range o.lister.List(s) {
				touch(p)
			}
		}),
		theirs: each(selectors, func(s labels.Selector) {
			for _, p := range t.list(s) {
				touch(p)
			}
		}),
	}}
}
