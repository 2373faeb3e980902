// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/labels"
)

// selectorRows list by label selector: from postings, and by matching every
// object. The selectors are parsed before, for both.
func selectorRows(w *world, o *ours, t *theirs) []row {
	compare := func(name string, target float64, texts ...string) row {
		var selectors []labels.Selector
		for _, text := range texts {
			s, err := labels.Parse(text)
			must(err)
			selectors = append(selectors, s)
		}
		return row{name: "selector " + name, target: target,
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
		}
	}
	// texts fills a pattern with an app, another app and a tier, at random.
	texts := func(pattern string) []string {
		return values(w, w.apps(), func(i int) string {
			return fmt.Sprintf(pattern, appName(i), appName((i+1)%w.apps()), tierName(i%tiers))
		})
	}
	rows := []row{
		compare("app=x, 200 hits", 1000, texts("app=%[1]s")...),
		compare("app in (x,y), 400 hits", 0, texts("app in (%[1]s,%[2]s)")...),
		compare("app notin (x,y), nearly all", 0, texts("app notin (%[1]s,%[2]s)")...),
		compare("canary, 1% of all", 0, "canary"),
	}
	if w.labels > 1 {
		rows = append(rows,
			compare("app=x,tier=t, 20 hits", 0, texts("app=%[1]s,tier=%[3]s")...),
			compare("app=x,tier notin (t), 180 hits", 0, texts("app=%[1]s,tier notin (%[3]s)")...),
		)
	}
	return rows
}
