// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package truncate_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestText(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 64, ""},
		{"plain é 漢 text", 64, "plain é 漢 text"},
		{"a\nb\tc\r\nd", 64, "a b c  d"},
		{"a\x1b[31mred\x00\x07\xff\xfe\u202eb", 64, "a�[31mred�b"},
		{strings.Repeat("x", 64), 64, strings.Repeat("x", 64)},
		{strings.Repeat("x", 50) + strings.Repeat("y", 50), 64, strings.Repeat("x", 30) + "...(100 bytes in all)..." + strings.Repeat("y", 10)},
		{strings.Repeat("é", 50), 64, strings.Repeat("é", 15) + "...(100 bytes in all)..." + strings.Repeat("é", 5)},
	} {
		if got := truncate.Text(test.text, test.limit); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// Text is short, clean and stable, whatever it is given.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "a\x00b", strings.Repeat("\xffa", 100), strings.Repeat("漢\n", 100), strings.Repeat("\x00é", 40)} {
		f.Add(seed, 64)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = min(max(limit, 64), 1<<12)
		got := truncate.Text(s, limit)
		if len(got) > limit || !utf8.ValidString(got) {
			t.Errorf("%q: %d bytes %q", s, len(got), got)
		}
		for _, r := range got {
			if r != utf8.RuneError && !unicode.IsGraphic(r) {
				t.Errorf("%q: %q holds %q", s, got, r)
			}
		}
		if again := truncate.Text(got, limit); again != got {
			t.Errorf("%q, then %q", got, again)
		}
	})
}

func TestErrorsThatAreShortStayAsTheyAre(t *testing.T) {
	status := apierrors.NewTimeoutError("Too large resource version: 9, current: 8", 1)
	status.ErrStatus.Details.Causes = []metav1.StatusCause{
		{Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"},
	}
	for _, err := range []error{nil, io.EOF, status, fmt.Errorf("list of pods: %w", status), apierrors.NewGenericServerResponse(500, "list", metav1.SchemeGroupVersion.WithResource("x").GroupResource(), "", "", 0, true)} {
		if got := truncate.Error(err); got != err {
			t.Errorf("%#v became %#v", err, got)
		}
	}
}

// What programs read of an error is found in it, however long or dirty the rest is.
func TestErrorsThatAreLong(t *testing.T) {
	long := strings.Repeat("\x1b[2J", 1<<20) + "\n\xff"
	tooLarge := apierrors.NewTimeoutError(long, 7)
	tooLarge.ErrStatus.Details.Causes = []metav1.StatusCause{
		{Type: metav1.CauseTypeResourceVersionTooLarge, Message: long, Field: long},
	}
	for range 1000 {
		tooLarge.ErrStatus.Details.Causes = append(
			tooLarge.ErrStatus.Details.Causes,
			metav1.StatusCause{Message: long},
		)
	}
	expired := apierrors.NewResourceExpired("too old")
	expired.ErrStatus.Continue = "token"
	expired.ErrStatus.Details = &metav1.StatusDetails{Name: long, Group: long}
	for name, test := range map[string]struct {
		err error
		is  func(error) bool
	}{
		"a Status": {tooLarge, func(err error) bool {
			delay, ok := apierrors.SuggestsClientDelay(err)
			return apierrors.IsTimeout(err) && apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) && ok && delay == 7
		}},
		"a wrapped Status": {fmt.Errorf("%w: list: %w", io.ErrUnexpectedEOF, tooLarge), func(err error) bool {
			return apierrors.IsTimeout(err) && errors.Is(err, io.ErrUnexpectedEOF) && apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
		}},
		"a Status whose message is short": {fmt.Errorf("list: %w", expired), func(err error) bool {
			status := apierrors.APIStatus(nil)
			return apierrors.IsResourceExpired(err) && errors.As(err, &status) && status.Status().Continue == "token" && strings.HasSuffix(err.Error(), "list: too old")
		}},
		"another error": {fmt.Errorf("%s: %w", long, io.ErrUnexpectedEOF), func(err error) bool {
			return errors.Is(err, io.ErrUnexpectedEOF) && strings.HasSuffix(err.Error(), "unexpected EOF")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := truncate.Error(fmt.Errorf("outside: %w", test.err))
			if !test.is(got) || !test.is(truncate.Error(test.err)) {
				t.Errorf("not recognized: %.200s", got)
			}
			if again := truncate.Error(got); again != got {
				t.Errorf("truncated twice: %.200s", again)
			}
			for _, err := range []error{got, truncate.Error(test.err)} {
				checkShort(t, err.Error(), truncate.MaxText)
			}
		})
	}
}

func checkShort(t *testing.T, text string, limit int) {
	t.Helper()
	if len(text) > limit || !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\n") {
		t.Errorf("%d bytes: %.300q", len(text), text)
	}
}
