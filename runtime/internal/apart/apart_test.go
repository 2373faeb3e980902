// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apart_test

import (
	"runtime"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/internal/apart"
	"go.uber.org/goleak"
)

func TestCall(t *testing.T) {
	defer goleak.VerifyNone(t)
	called := 0
	for name, test := range map[string]struct {
		f        func()
		returned bool
		odd      any
	}{
		"returns": {func() {}, true, nil},
		"panics":  {func() { panic("no") }, false, "no"},
		"exits":   {runtime.Goexit, false, nil},
	} {
		returned, odd := apart.Call(func() { called++; test.f() })
		if returned != test.returned || odd != test.odd {
			t.Errorf("%s: returned %v, odd %v", name, returned, odd)
		}
	}
	if called != 3 {
		t.Errorf("called %d times", called)
	}
}
