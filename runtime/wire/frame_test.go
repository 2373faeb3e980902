// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestFramerCutsValues(t *testing.T) {
	text := ` {"a":"}\""} [1,[2]]"x"  -1.5e3 true,`
	want := []string{`{"a":"}\""}`, `[1,[2]]`, `"x"`, `-1.5e3`, `true`}
	for how, r := range map[string]io.Reader{"whole": strings.NewReader(text), "by bytes": byBytes(text), "with its error": iotest.DataErrReader(strings.NewReader(text))} {
		f := newFramer(r, 100, 0)
		for _, want := range want {
			if got, err := f.value(); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v, want %q", how, got, err, want)
			}
		}
		if err := f.expect(','); err != nil || f.offset() != int64(len(text)) {
			t.Errorf("%s: %v at %d", how, err, f.offset())
		}
		if _, err := f.value(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v at the end", how, err)
		}
	}
}

func TestFramerLimitIsExact(t *testing.T) {
	text := `"` + strings.Repeat("x", 98) + `"`
	if _, err := newFramer(byBytes(text), 100, 0).value(); err != nil {
		t.Error(err)
	}
	if _, err := newFramer(byBytes(text), 99, 0).value(); !errors.Is(err, ErrObjectTooLarge) {
		t.Error(err)
	}
}

// A watch that once saw a large object does not keep the memory for it.
func TestFramerLetsGoOfALargeBuffer(t *testing.T) {
	large := `"` + strings.Repeat("x", 3<<20) + `"`
	f := newFramer(io.MultiReader(strings.NewReader(large), strings.NewReader(`"small"`)), 10<<20, 0)
	if _, err := f.value(); err != nil || cap(f.buf) < len(large) {
		t.Fatal(err)
	}
	if got, err := f.value(); err != nil || string(got) != `"small"` || cap(f.buf) > idleBufferBytes ||
		f.offset() != int64(len(large)+7) {
		t.Errorf("%q, %v, %d bytes held, at %d", got, err, cap(f.buf), f.offset())
	}
}

// What was read does not stay in the buffer of a watch that waits, because it may have secrets that are skipped.
func TestFramerForgets(t *testing.T) {
	events := strings.Repeat(`{"secret":"s3cret"}`, 3*firstBufferBytes/19)
	f := newFramer(strings.NewReader(events), 100, 0)
	for {
		if _, err := f.value(); err != nil {
			break
		}
		if rest := f.buf[f.end:]; strings.Contains(string(rest), "s3cret") {
			t.Fatalf("at byte %d, the buffer has %q behind its end", f.offset(), rest)
		}
	}
	if strings.Contains(string(f.buf), "s3cret") {
		t.Errorf("at the end, the buffer has %q", f.buf)
	}
}

func TestFramerPassesOnReadErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	if _, err := newFramer(iotest.ErrReader(broken), 10, 0).value(); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := newFramer(iotest.ErrReader(broken), 10, 0).expectEnd(); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := newFramer(idleReader{}, 10, 0).value(); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
	if _, err := newFramer(io.MultiReader(strings.NewReader("12"), iotest.ErrReader(broken)), 10, 0).value(); !errors.Is(
		err,
		broken,
	) {
		t.Error(err)
	}
}

type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }
