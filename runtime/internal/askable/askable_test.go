// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package askable_test

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/internal/askable"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// odd is an error of which the methods named in it panic.
type odd string

func (o odd) panics(method string) {
	if strings.Contains(string(o), method) {
		panic(method)
	}
}

func (o odd) Error() string { o.panics("Error"); return "odd " + string(o) }
func (o odd) Is(error) bool { o.panics("Is"); return false }
func (o odd) As(any) bool   { o.panics("As"); return false }
func (o odd) Unwrap() error { o.panics("Unwrap"); return io.EOF }

// endless wraps itself.
type endless struct{}

func (e endless) Error() string { return "endless" }
func (e endless) Unwrap() error { return e }

// bushy wraps itself twice.
type bushy struct{}

func (b bushy) Error() string   { return "bushy" }
func (b bushy) Unwrap() []error { return []error{b, b} }

// rude panics with itself when it is printed.
type rude struct{}

func (r rude) String() string { panic(r) }
func (r rude) Error() string  { panic(r) }

func TestError(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		can  bool
		text string
	}{
		"none":              {nil, true, ""},
		"simple":            {io.EOF, true, "EOF"},
		"wrapped":           {fmt.Errorf("a: %w", errors.Join(io.EOF, odd(""))), true, "a: EOF\nodd "},
		"status":            {apierrors.NewBadRequest("no"), true, "no"},
		"nil status":        {(*apierrors.StatusError)(nil), false, "a nil *errors.StatusError"},
		"nil URL error":     {(*url.Error)(nil), false, "a nil *url.Error"},
		"wrapped nil":       {fmt.Errorf("a: %w", (*url.Error)(nil)), false, "a: <nil>"},
		"Error panics":      {odd("Error"), false, "%!v(PANIC=Error method: Error)"},
		"Is panics":         {odd("Is"), false, "odd Is"},
		"As panics":         {fmt.Errorf("a: %w", odd("As")), false, "a: odd As"},
		"Unwrap panics":     {errors.Join(io.EOF, odd("Unwrap")), false, "EOF\nodd Unwrap"},
		"no end":            {endless{}, false, "endless"},
		"no end, and more":  {bushy{}, false, "bushy"},
		"cannot be printed": {rude{}, false, "a askable_test.rude that cannot be printed"},
	} {
		got := askable.Error(test.err)
		if test.err == nil {
			if got != nil {
				t.Errorf("%s: %v", name, got)
			}
			continue
		}
		if got.Error() != test.text {
			t.Errorf("%s: %q, want %q", name, got.Error(), test.text)
		}
		if can := askable.Can(test.err); can != test.can {
			t.Errorf("%s: can be asked: %v", name, can)
		}
		if test.can != (got == test.err) {
			t.Errorf("%s became %v", name, got)
		}
		_ = errors.Is(got, io.ErrNoProgress) || apierrors.IsNotFound(got)
	}
}

func TestText(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{"a", "a"}, {1, "1"}, {nil, "<nil>"}, {(*url.Error)(nil), "a nil *url.Error"}, {(*url.URL)(nil), "<nil>"},
		{rude{}, "a askable_test.rude that cannot be printed"},
	} {
		if got := askable.Text(test.value); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
