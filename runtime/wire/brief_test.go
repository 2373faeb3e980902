// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// wordy has fields whose errors, names and paths may be as long as its JSON.
type wordy struct {
	metav1.ObjectMeta `json:"metadata"`

	Number int               `json:"number"`
	Since  metav1.Time       `json:"since"`
	Sizes  map[string]*wordy `json:"sizes"`
	Self   *wordy            `json:"self"`
	Rude   rude              `json:"rude"`
}

// rude has an error that cannot be read.
type rude struct{}

func (*rude) UnmarshalJSON([]byte) error { return rudeError{} }

type rudeError struct{}

func (rudeError) Error() string { panic(strings.Repeat("x", 1<<16)) }

func decoderOf[E any, T interface {
	*E
	metav1.Object
}]() *objectDecoder[E, T] {
	return &objectDecoder[E, T]{resource: widgets.GroupResource(), fast: decode.New(decode.Options{})}
}

// An error of an item is a line for a log, whatever the object is.
func TestErrorsOfItemsAreBrief(t *testing.T) {
	long := strings.Repeat("9", 1<<20)
	nested := strings.Repeat(`{"sizes":{"`+long[:500]+`":`, 80) + `{"number":"x"}` + strings.Repeat(`}}`, 80)
	for name, test := range map[string]struct{ text, want string }{
		"number":   {`{"metadata":{"name":"a"},"number":` + long + `}`, "widgets.example.com a cannot be decoded: .number: "},
		"time":     {`{"metadata":{"name":"a"},"since":"` + long + `"}`, "widgets.example.com a cannot be decoded: .since: "},
		"name":     {`{"metadata":{"namespace":"n` + long + `","name":"` + long + `"},"number":"x"}`, "widgets.example.com n99"},
		"key":      {`{"metadata":{"name":"a"},"sizes":{"` + long + `":{"number":"x"}}}`, `widgets.example.com a cannot be decoded: .sizes["99`},
		"path":     {`{"metadata":{"name":"a"},"self":` + nested + `}`, `widgets.example.com a cannot be decoded: .self.sizes["99`},
		"too deep": {`{"metadata":{"name":"a"},` + strings.Repeat(`"self":{`, 5000) + `"number":"x"` + strings.Repeat("}", 5001), "widgets.example.com a cannot be decoded: .self.self"},
		"panic":    {`{"metadata":{"name":"a"},"rude":1}`, "widgets.example.com a cannot be decoded: "},
	} {
		item, err := decoderOf[wordy]().careful([]byte(test.text))
		if err != nil || item.Err == nil || item.Key == nil {
			t.Errorf("%s: %+v, %v", name, item, err)
			continue
		}
		said := item.Err.Error()
		if len(said) > 4096 || !strings.HasPrefix(said, test.want) || !utf8.ValidString(said) {
			t.Errorf("%s: %d bytes: %.300s", name, len(said), said)
		}
		if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(item.Err, &mismatch) && len(fmt.Sprint(*mismatch)) > 4096 {
			t.Errorf("%s: an error of %d bytes is wrapped", name, len(fmt.Sprint(*mismatch)))
		} else if name == "number" && mismatch == nil {
			t.Errorf("%s: it is not said by its type: %.300s", name, said)
		}
	}
	item, err := decoderOf[unstructured.Unstructured]().careful([]byte(`{"apiVersion":"v1","metadata":{"name":"a"},"x":"` + long + `"}`))
	if err != nil || item.Err == nil || len(item.Err.Error()) > 4096 {
		t.Errorf("unstructured: %v, %d bytes", err, len(fmt.Sprint(item.Err)))
	}
}

func TestClip(t *testing.T) {
	if got := clip("abcdefgh", 8); got != "abcdefgh" {
		t.Error(got)
	}
	if got, want := clip("abcdefghi", 8), "abcdef...(9 bytes in all)...hi"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := clip(strings.Repeat("é", 9), 10); !utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
}
