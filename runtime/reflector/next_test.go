// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func code(c int32, reason metav1.StatusReason) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Code: c, Reason: reason, Message: string(reason)}}
}

var (
	cut       = fmt.Errorf("lost: %w", source.ErrCut)
	gone      = apierrors.NewResourceExpired("too old")
	ahead     = apierrors.NewTimeoutError("Too large resource version: 7, current: 5", 1)
	malformed = apierrors.NewBadRequest("invalid version")
	forbidden = apierrors.NewForbidden(metav1.SchemeGroupVersion.WithResource("x").GroupResource(), "", errors.New("no"))
	unread    = code(500, metav1.StatusReasonStoreReadError)
	internal  = code(500, metav1.StatusReasonInternalError)
	absent    = code(404, metav1.StatusReasonNotFound)
)

// fresh has read nothing; at has read version 5.
var (
	standard = stateOptions{backoff: Backoff{}.withDefaults()}
	fresh    = state{stateOptions: standard}
	at       = state{stateOptions: standard, resourceVersion: "5", watchable: true, firstListDoneOrSkipped: true}
)

func with(s state, change func(*state)) state {
	change(&s)
	return s
}

func watched(err error, lasted time.Duration) outcome {
	return outcome{err: err, watchLasted: lasted, requestedTimeout: 5 * time.Minute}
}

type row struct {
	from  state
	op    Op
	out   outcome
	steps string // what follows until another operation does, if each ends in the same way; "…" is a wait
	check func(state) bool
}

func unserved(s *state) { s.absent = true }

func list(s *state) { s.noWatchList, s.watchable = true, false }

// rows are the rows of the table in the package documentation, by their first line.
func rows() map[string][]row {
	short := watched(errShortWatch, 0)
	requested := watched(nil, 6*time.Minute)
	requested.events = 1
	changed := short
	changed.events, changed.newerChangeReceived = 1, true
	latest := func(s state) bool { return s.listLatest && s.listVersion() == "" }
	same := func(s state) bool { return !s.listLatest && s.listVersion() == "5" }
	unsure := func(s *state) { s.serverMayHaveRewound = true }
	outage := func(s state) bool { return s.unexplainedWatchListFailures == 0 }
	listing, streaming := with(at, list), with(at, func(s *state) { s.watchable = false })
	nine := strings.Repeat("…watch, ", 9)
	return map[string][]row{
		"list: expired, too large or": {
			{listing, OpList, outcome{err: gone}, "list, …list, …list", latest},
			{listing, OpList, outcome{err: ahead}, "list, …list, …list", latest},
			{listing, OpList, outcome{err: malformed}, "list, …list, …list", latest},
		},
		"list: continue token expired": {
			{listing, OpList, outcome{err: gone, failedAtContinue: true}, "list, list, list", func(s state) bool { return s.nextListUnpaged && same(s) }},
		},
		"list: more than MaxObjects, a": {{listing, OpList, outcome{err: ErrEndlessList}, "…list, …list, …list", same}},
		"list: any other error":         {{listing, OpList, outcome{err: internal}, "…list, …list, …list", same}},
		"list: no progress": {
			{listing, OpList, outcome{err: errStalled}, "…list, …list, …list", latest},
			{with(fresh, list), OpList, outcome{err: errStalled}, "…list, …list, …list", func(s state) bool { return s.listVersion() == "0" }},
		},
		"watch: ended when requested": {{at, OpWatch, requested, "watch, watch, watch", nil}},
		"watch: ended early, or silent": {
			{at, OpWatch, watched(nil, time.Minute), "resume", nil},
			{at, OpWatch, watched(nil, 6*time.Minute), "resume", nil},
		},
		"watch: ended within a second": {
			{at, OpWatch, short, "…resume", nil},
			{with(at, func(s *state) { s.resourceVersion = "0" }), OpWatch, short, nine + "…watch list", nil},
			{with(at, func(s *state) { s.resourceVersion = "0" }), OpWatch, changed, nine + "…watch, …watch", nil},
		},
		"watch: connection cut, no server": {{at, OpWatch, watched(cut, time.Minute), "…resume", nil}},
		"watch: 401, 502, 503, 504":        {{at, OpWatch, watched(code(503, metav1.StatusReasonServiceUnavailable), 0), "…resume", nil}},
		"watch: 429":                       {{at, OpWatch, watched(code(429, metav1.StatusReasonTooManyRequests), 0), "…watch, …watch, …watch", nil}},
		"watch: 403":                       {{with(at, func(s *state) { s.noWatchList = true }), OpWatch, watched(forbidden, 0), "…watch, …watch, list", same}},
		"watch: 410 Gone, StoreReadError": {
			{at, OpWatch, watched(gone, 0), "watch list", same},
			{at, OpWatch, watched(unread, 0), "watch list", same},
			{with(at, func(s *state) { s.waits.immediateRelistUsed = true }), OpWatch, watched(gone, 0), "…watch list", same},
		},
		"watch: too large or invalid version": {
			{at, OpWatch, watched(ahead, 0), "watch list", latest},
			{at, OpWatch, watched(malformed, 0), "watch list", latest},
		},
		"watch: any other error, garbage": {
			{with(at, func(s *state) { s.resourceVersion = "0" }), OpWatch, watched(internal, 0), "…watch, …watch, …watch list", nil},
		},
		"watch: an event older than the last,": {{at, OpWatch, watched(errBackward, time.Minute), "watch list", latest}},
		"resume: the server is not behind":     {{with(at, unsure), OpResume, outcome{}, "watch", nil}},
		"resume: the latest version is older":  {{with(at, unsure), OpResume, outcome{err: errBackward}, "watch list", latest}},
		"resume: 403, not supported":           {{with(at, unsure), OpResume, outcome{err: forbidden}, "watch", nil}, {with(at, unsure), OpResume, outcome{err: absent}, "watch", nil}},
		"resume: 401, 429, 502 to 504,":        {{with(at, unsure), OpResume, outcome{err: cut}, "…resume, …resume, …resume", nil}},
		"resume: any other error":              {{with(at, unsure), OpResume, outcome{err: internal}, "…resume, …resume, …watch list", nil}},
		"WatchList: 400, 422":                  {{streaming, OpWatchList, outcome{err: malformed}, "list", func(s state) bool { return s.noWatchList }}},
		"WatchList: another 4xx":               {{streaming, OpWatchList, outcome{err: forbidden}, "list", func(s state) bool { return !s.noWatchList }}},
		"WatchList: ended without bookmark,":   {{streaming, OpWatchList, outcome{err: ErrNoBookmark}, "…watch list, …watch list, list", func(s state) bool { return s.unexplainedWatchListFailures == 3 }}},
		"WatchList: expired, too large":        {{streaming, OpWatchList, outcome{err: gone}, "watch list, …watch list, …list", latest}},
		"WatchList: 429, 5xx, no server": {
			{streaming, OpWatchList, outcome{err: cut}, "…watch list, …watch list, list", outage},
			{streaming, OpWatchList, outcome{err: internal}, "…watch list, …watch list, list", outage},
		},
		"list, watch, WatchList, resume: 404,": {
			{listing, OpList, outcome{unserved: true}, "discovery", nil},
			{at, OpWatch, outcome{unserved: true}, "discovery", nil},
			{streaming, OpWatchList, outcome{unserved: true}, "discovery", nil},
			{with(at, unsure), OpResume, outcome{unserved: true}, "discovery", nil},
		},
		"discovery: the type is served": {
			{with(fresh, unserved), OpDiscovery, outcome{}, "watch list", func(s state) bool { return s.listVersion() == "0" }},
		},
		"discovery: the sink fails": {{with(fresh, unserved), OpDiscovery, outcome{err: internal}, "…discovery, …discovery, …discovery", nil}},
	}
}

// Waits start over after a watch that made progress, and only then.
func TestProgress(t *testing.T) {
	const lasting, brief = time.Second, 999 * time.Millisecond
	unavailable := code(503, metav1.StatusReasonServiceUnavailable)
	for name, test := range map[string]struct {
		out      outcome
		progress bool
	}{
		"a change, then cut":                  {outcome{err: cut, watchLasted: brief, events: 1, newerChangeReceived: true}, true},
		"a change, then the end":              {outcome{err: errShortWatch, watchLasted: brief, events: 1, newerChangeReceived: true}, true},
		"a change, then an error":             {outcome{err: internal, watchLasted: brief, events: 1, newerChangeReceived: true}, true},
		"a second, then cut":                  {outcome{err: cut, watchLasted: lasting}, true},
		"a second, then the end":              {outcome{watchLasted: lasting}, true},
		"a second with a bookmark, then 500":  {outcome{err: internal, watchLasted: lasting, events: 1}, true},
		"cut at once":                         {outcome{err: cut, watchLasted: brief}, false},
		"ended at once":                       {outcome{err: errShortWatch, watchLasted: brief}, false},
		"a bookmark, then cut at once":        {outcome{err: cut, watchLasted: brief, events: 1}, false},
		"refused after a minute":              {outcome{err: unavailable, watchLasted: time.Minute}, false},
		"a change, then a list":               {outcome{err: gone, watchLasted: 29 * time.Second, events: 1, newerChangeReceived: true}, false},
		"nothing for 30 seconds, then a list": {outcome{err: gone, watchLasted: 30 * time.Second}, true},
	} {
		failed := with(at, func(s *state) {
			s.waits = backoffState{next: 20 * time.Second, responseResetUsed: true, immediateRelistUsed: true}
		})
		s, _, wait := nextStep(failed, OpWatch, test.out)
		if progress := !s.waits.responseResetUsed; progress != test.progress {
			t.Errorf("%s: progress %v, want %v", name, progress, test.progress)
		}
		if least := 20 * time.Second; !test.progress && wait < least || test.progress && wait > s.backoff.Initial {
			t.Errorf("%s: waits %v", name, wait)
		}
	}
}

// Each row of the table holds, and each has a test.
func TestNext(t *testing.T) {
	all := rows()
	for name, cases := range all {
		for n, c := range cases {
			s, op := c.from, c.op
			var steps []string
			for step, wait := op, time.Duration(0); step == op && len(steps) < max(3, strings.Count(c.steps, ",")+1); {
				s, step, wait = nextStep(s, op, c.out)
				steps = append(steps, strings.Repeat("…", int(min(wait, 1)))+string(step))
			}
			if got := strings.Join(steps, ", "); got != c.steps {
				t.Errorf("%s (%d): got %q, want %q", name, n, got, c.steps)
			} else if c.check != nil && !c.check(s) {
				t.Errorf("%s (%d): the state is %+v", name, n, s)
			}
		}
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	left := regexp.MustCompile(`(?m)^//\t((?:list|watch|resume|WatchList|discovery|list, watch, WatchList, resume): .*?)(?:  .*)?$`)
	for _, found := range left.FindAllStringSubmatch(string(doc), -1) {
		if _, ok := all[found[1]]; !ok {
			t.Errorf("no test for %q", found[1])
		}
		delete(all, found[1])
	}
	for name := range all {
		t.Errorf("not in the table: %q", name)
	}
}
