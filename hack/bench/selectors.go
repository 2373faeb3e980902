// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

// scanRows list by a label selector that no index answers.
func scanRows(w *world, o *ours, t *theirs) []row {
	r := selectorRow(w, o, t, "app=$app")
	r.name, r.target = "selector app=x, without a label index", 1.1
	return []row{r}
}

// selectorRows list by label selector: from postings, and by matching every object.
func selectorRows(w *world, o *ours, t *theirs) []row {
	named := func(name string, target float64, pattern string) row {
		r := selectorRow(w, o, t, pattern)
		r.name, r.target = "selector "+name, target
		return r
	}
	rows := []row{
		named("app=x, 200 hits", 1000, "app=$app"),
		named("app in (x,y), 400 hits", 0, "app in ($app,$other)"),
		named("app notin (x,y), nearly all", 0, "app notin ($app,$other)"),
		named("canary, 1% of all", 0, "canary"),
	}
	if w.labels > 1 {
		rows = append(rows,
			named("app=x,tier=t, 20 hits", 0, "app=$app,tier=$tier"),
			named("app=x,tier notin (t), 180 hits", 0, "app=$app,tier notin ($tier)"),
		)
	}
	return rows
}

// selectorRow lists by selectors that are parsed before, for both sides. $app, $other (an
// app) and $tier in the pattern are drawn at random.
func selectorRow(w *world, o *ours, t *theirs, pattern string) row {
	selectors := values(w, w.apps(), func(i int) labels.Selector {
		text := strings.NewReplacer("$app", appName(i), "$other", appName((i+1)%w.apps()), "$tier", tierName(i%tiers))
		s, err := labels.Parse(text.Replace(pattern))
		must(err)
		return s
	})
	return row{
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
