// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// lines is a slog.Handler that keeps each record as "LEVEL text: names of the attributes",
// without those that each record of an informer has. Like klog's, it drops what With adds.
type lines struct {
	mu  *sync.Mutex
	all *[]string
}

func newLines() lines { return lines{new(sync.Mutex), new([]string)} }

func (l lines) Enabled(context.Context, slog.Level) bool { return true }
func (l lines) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l lines) WithGroup(string) slog.Handler            { return l }

func (l lines) Handle(_ context.Context, r slog.Record) error {
	var names []string
	r.Attrs(func(a slog.Attr) bool {
		if a.Key != "resource" {
			names = append(names, a.Key)
		}
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	*l.all = append(*l.all, fmt.Sprintf("%s %s: %s", r.Level, r.Message, strings.Join(names, " ")))
	return nil
}

// got returns the records since the last call.
func (l lines) got() []string {
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	all := *l.all
	*l.all = nil
	return all
}

func (l lines) clearNotRunningError(t *testing.T, when string, want ...string) {
	t.Helper()
	if got := l.got(); !slices.Equal(got, want) {
		t.Errorf("%s: logged\n%s\nwant\n%s", when, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Each event has the level that the documentation says, and nothing that is normal is a
// warning.
func TestLogger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newLines()
		srv := runtimetest.NewServer[*object]()
		srv.NoWatchList = true
		srv.Set(widget("a"))
		inf := newInformer(srv, informer.WithLogger(slog.New(log)), informer.WithErrorHandler(func(error) {}))
		hold := make(chan struct{})
		inf.AddEventHandler(informer.HandlerFuncs[*object]{UpdateFunc: func(_, o *object) {
			switch o.Labels["v"] {
			case "panic":
				panic("no")
			case "slow":
				<-hold
			}
		}}, informer.WithHandlerName("audit"), informer.WithBuffer(1))
		start(t, inf)
		const (
			ended    = "DEBUG watch ended: resourceVersion reason events lasted"
			watching = "DEBUG watching: resourceVersion"
		)
		log.clearNotRunningError(t, "first",
			"DEBUG listing: op resourceVersion", // the attempt at a WatchList
			"INFO no watch list: always error",
			"DEBUG listing: op resourceVersion",
			"INFO listed: op resourceVersion objects took",
			watching)
		time.Sleep(time.Hour)
		for _, line := range log.got() {
			if line != ended && line != watching {
				t.Errorf("in an hour in which nothing happens: logged %s", line)
			}
		}
		time.Sleep(2*time.Second - time.Since(inf.Stats().Sources[0].Since)) // a watch that has just begun is too short
		log.got()
		srv.CutWatches(nil)
		log.clearNotRunningError(t, "a server that restarts in good order", ended, watching)
		srv.CutWatches(io.ErrUnexpectedEOF)
		time.Sleep(5 * time.Second)
		log.clearNotRunningError(
			t,
			"a connection that is cut",
			ended+" error",
			"WARN error: op reason wait error",
			watching,
		)
		srv.CutWatches(runtimetest.Expired())
		time.Sleep(5 * time.Second)
		log.clearNotRunningError(
			t,
			"410",
			ended+" error",
			"WARN error: op reason error",
			"INFO listing again: op resourceVersion reason error",
			"INFO listed: op resourceVersion objects took",
			watching,
		)
		srv.Set(widget("a", "v", "panic"))
		log.clearNotRunningError(t, "a handler that panics", "ERROR error: stack error")
		for _, v := range []string{"slow", "2", "3", "4"} {
			srv.Set(widget("a", "v", v))
			synctest.Wait()
		}
		time.Sleep(10 * time.Second)
		close(hold)
		log.clearNotRunningError(
			t,
			"a handler that is slow",
			"WARN handler blocks the informer: handler pending for",
			"INFO handler no longer blocks the informer: handler pending for",
		)
	})
}

// TestLogRecordsNameTheInformer: each record has the attributes of the informer, since some slog handlers
// drop those of With.
func TestLogRecordsNameTheInformer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.NoWatchList = true
		srv.Set(widget("a"))
		log := &records{}
		src, _ := ofParts(map[string]source.ListerWatcher[*object]{"first": srv, "second": srv})
		inf := newInformer(
			src,
			informer.WithLogger(slog.New(log)),
			informer.WithName("edge"),
			informer.WithErrorHandler(func(error) {}),
		)
		start(t, inf)
		srv.Fail(io.ErrUnexpectedEOF)
		srv.CutWatches(io.ErrUnexpectedEOF)
		synctest.Wait()
		log.mu.Lock()
		defer log.mu.Unlock()
		if len(log.all) == 0 {
			t.Fatal("nothing was logged")
		}
		sources := map[string]int{}
		for _, attrs := range log.all {
			if attrs["resource"] != "widgets.example.com/v1" || attrs["informer"] != "edge" {
				t.Errorf("a record has only %v", attrs)
			}
			sources[attrs["source"]]++
		}
		if sources["second"] == 0 {
			t.Errorf("no record names the second part: %v", sources)
		}
	})
}

// records is a slog.Handler that keeps the attributes of each record, and drops those of With.
type records struct {
	mu  sync.Mutex
	all []map[string]string
}

func (r *records) Enabled(context.Context, slog.Level) bool { return true }
func (r *records) WithAttrs([]slog.Attr) slog.Handler       { return r }
func (r *records) WithGroup(string) slog.Handler            { return r }

func (r *records) Handle(_ context.Context, record slog.Record) error {
	attrs := make(map[string]string)
	record.Attrs(func(a slog.Attr) bool { attrs[a.Key] = a.Value.String(); return true })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, attrs)
	return nil
}
