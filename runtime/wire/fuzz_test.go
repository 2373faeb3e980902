// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

const fuzzLimit = 1 << 12

// FuzzList compares the list decoder with encoding/json: invalid JSON is an error, a list yields all
// its items, and the sizes of reads do not matter.
func FuzzList(f *testing.F) {
	for _, seed := range []string{
		listJSON(), listJSON(widgetJSON("a"), `{"metadata":{"name":5}}`, `7`), `{"items":null}`, `{"items":[`, `{}`, `[]`, `{"items":[{"spec":{"ports":[{"number":"x"}]}}]}`,
		`{"metadata":{},"x":"\"\\","items":[{}],"kind":"\u0054able"}`, "{\"items\":[\"\xff\"]}", strings.Repeat("[", 99), `{"items":[]} x`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		items, meta, err := decodeList(bytes.NewReader(text), fuzzLimit)
		again, metaAgain, errAgain := decodeList(byBytes(string(text)), fuzzLimit)
		if names(items) != names(again) || meta.ResourceVersion != metaAgain.ResourceVersion ||
			(err == nil) != (errAgain == nil) {
			t.Errorf("%v (%v) in one read, %v (%v) in many", items, err, again, errAgain)
		}
		for _, item := range items {
			if (item.Err == nil) != (item.Object != nil) || item.NoObject != (item.Object == nil) {
				t.Errorf("item %+v", item)
			}
		}
		if err != nil {
			return
		}
		var reference map[string]json.RawMessage
		if err := json.Unmarshal(text, &reference); err != nil {
			t.Fatalf("accepted what is not JSON: %v", err)
		}
		var rawItems []json.RawMessage
		if err := json.Unmarshal(reference["items"], &rawItems); err != nil || len(rawItems) != len(items) {
			t.Errorf("%d items instead of %d, %v", len(items), len(rawItems), err)
		}
	})
}

// FuzzWatch does the same for the watch decoder.
func FuzzWatch(f *testing.F) {
	for _, seed := range []string{
		eventJSON("ADDED", widgetJSON("a")), bookmark, bookmarkEnd, expired, eventJSON("DELETED", `{"metadata":{"name":5}}`), `{"type":`, `{}{}`, `1 2`,
		eventJSON("ADDED", "null") + eventJSON("MODIFIED", "{}"), `{"type":"\u0041DDED","object":{"metadata":{"name":"\ud800"}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		events, err := decodeWatch(bytes.NewReader(text), fuzzLimit)
		again, errAgain := decodeWatch(byBytes(string(text)), fuzzLimit)
		if eventNames(events) != eventNames(again) || (err == nil) != (errAgain == nil) {
			t.Errorf(
				"%s (%v) in one read, %s (%v) in many",
				eventNames(events),
				err,
				eventNames(again),
				errAgain,
			)
		}
		reference := json.NewDecoder(bytes.NewReader(text))
		for range events {
			var event struct {
				Type   string          `json:"type"`
				Object json.RawMessage `json:"object"`
			}
			if err := reference.Decode(&event); err != nil {
				t.Fatalf("accepted what is not JSON: %v", err)
			}
		}
		if err == nil && !errors.Is(reference.Decode(new(any)), io.EOF) {
			t.Error("ended before the end")
		}
	})
}

// endless repeats a text forever and counts the bytes read.
type endless struct {
	head, text string
	read       int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	if e.head != "" {
		n = copy(p, e.head)
		e.head = e.head[n:]
	}
	for n < len(p) {
		n += copy(p[n:], e.text)
	}
	e.read += n
	return n, nil
}

func TestEndlessStreamsAreCutShort(t *testing.T) {
	const limit = 1 << 20
	for head, text := range map[string]string{
		`{"items":[{"a":`:           `[`,
		`{"items":[{"b":"`:          `xy`,
		`{"items":[{"b":"\`:         `\`,
		`{"items":[{"c":`:           `{"c":`,
		`{"items":[{"d":1,`:         `"d":1,`,
		`{"items":[5`:               `5`,
		`{"`:                        `x`,
		`{"x":[`:                    `1,`,
		`{"metadata":{"continue":"`: `x`,
	} {
		for name, decode := range map[string]func(io.Reader) error{
			"list":  func(r io.Reader) error { _, _, err := decodeList(r, limit); return err },
			"watch": func(r io.Reader) error { _, err := decodeWatch(r, limit); return err },
		} {
			stream := &endless{head: head, text: text}
			wantError(t, decode(stream), "MaxObjectBytes")
			if stream.read > 2*limit+firstBufferBytes {
				t.Errorf("%s of %s%s…: read %d bytes", name, head, text, stream.read)
			}
		}
	}
}
