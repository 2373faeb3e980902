// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	st "github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Whatever source an error comes from, what the reflector says of it fits into a log, and it
// acts on it as if it were short.
func TestErrorsAreTruncated(t *testing.T) {
	synctest.Test(t, testErrorsAreTruncated)
}

func testErrorsAreTruncated(t *testing.T) {
	long := strings.Repeat("\x1b[2J\n", 1<<18)
	dirty := apierrors.NewTimeoutError("Too large resource version: "+long, 1)
	item := st.Undecodable[*object]("ns", long, errors.New(long))
	check := func(what string, err error) {
		t.Helper()
		if err == nil {
			return
		}
		if text := err.Error(); len(text) > 5000 || strings.ContainsAny(text, "\x1b\n") {
			t.Errorf("%s: %d bytes: %.100q", what, len(text), text)
		}
	}
	src := &st.Script[*object]{NoWatchList: true}
	src.Lists(st.ListError[*object](errors.New(long)), st.Page("5", "", item), st.Page("3", "", item))
	src.Watches(st.WatchError[*object](fmt.Errorf("watch: %w", dirty)), st.Stream(hang))
	s, told := &sink{}, 0
	requests := run(t, src, s, options{
		OnEvent: func(e reflector.Event) {
			if e.Type == reflector.EventFailed {
				told++
			}
			check("event "+string(e.Type), e.Err)
		},
	}, time.Hour)
	var asked []string
	for _, r := range requests {
		asked = append(asked, ask(r))
	}
	if want := []string{"list 0/500", "list 0/500", "watch 5", "list /500", "watch 3"}; !slices.Equal(asked[:min(len(asked), 5)], want) || told < 4 {
		t.Errorf("asked %q, want %q; %d errors", asked, want, told)
	}
}
