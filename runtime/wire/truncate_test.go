// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/decode"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// rude returns an error with a long text.
type rude struct{}

func (*rude) UnmarshalJSON([]byte) error { return rudeError{} }

type rudeError struct{}

func (rudeError) Error() string { return strings.Repeat("x", 1<<16) }

func decoderOf[E any, T interface {
	*E
	metav1.Object
}]() *objectDecoder[T] {
	d := decode.New(decode.Options{})
	return &objectDecoder[T]{
		objectType: typeOf[T](), resource: widgets.GroupResource(), fast: d, codec: jsonCodec{d},
	}
}

// An error of an item is a line for a log, whatever the object is.
func TestErrorsOfItemsAreTruncated(t *testing.T) {
	long := strings.Repeat("9", 1<<20)
	nested := strings.Repeat(`{"sizes":{"`+long[:500]+`":`, 80) + `{"number":"x"}` + strings.Repeat(`}}`, 80)
	for name, test := range map[string]struct{ text, want string }{
		"number":   {`{"metadata":{"name":"a"},"number":` + long + `}`, "widgets.example.com a cannot be decoded: .number: "},
		"time":     {`{"metadata":{"name":"a"},"since":"` + long + `"}`, "widgets.example.com a cannot be decoded: .since: "},
		"name":     {`{"metadata":{"namespace":"n` + long + `","name":"` + long + `"},"number":"x"}`, "widgets.example.com n99"},
		"key":      {`{"metadata":{"name":"a"},"sizes":{"` + long + `":{"number":"x"}}}`, `widgets.example.com a cannot be decoded: .sizes['99`},
		"path":     {`{"metadata":{"name":"a"},"self":` + nested + `}`, `widgets.example.com a cannot be decoded: .self.sizes['99`},
		"too deep": {`{"metadata":{"name":"a"},` + strings.Repeat(`"self":{`, 5000) + `"number":"x"` + strings.Repeat("}", 5001), "widgets.example.com a cannot be decoded: .self.self"},
		"rude":     {`{"metadata":{"name":"a"},"rude":1}`, "widgets.example.com a cannot be decoded: "},
	} {
		d, err := decoderOf[wordy]().decodeByReference([]byte(test.text), delta.Replaced)
		if d.Type != delta.Stale || err == nil {
			t.Errorf("%s: %+v, %v", name, d, err)
			continue
		}
		said := err.Error()
		if len(said) > 4096 || !strings.HasPrefix(said, test.want) || !utf8.ValidString(said) {
			t.Errorf("%s: %d bytes: %.300s", name, len(said), said)
		}
	}
	d, err := decoderOf[unstructured.Unstructured]().decodeByReference([]byte(`{"apiVersion":"v1","metadata":{"name":"a"},"x":"`+long+`"}`), delta.Replaced)
	if d.Type != delta.Stale || err == nil || len(err.Error()) > 4096 {
		t.Errorf("unstructured: %+v, %d bytes", d, len(fmt.Sprint(err)))
	}
}

// Whatever a server sends, an error with it is one short line, and what programs read of a
// Status is in it.
func TestErrorsWithServerTextAreTruncated(t *testing.T) {
	dirty := strings.Repeat("\x1b[2J\u202e漢\u0000\n", 1<<20)
	quoted, err := json.Marshal(dirty)
	if err != nil {
		t.Fatal(err)
	}
	status := func(size, code int, reason string) string {
		text := strings.ToValidUTF8(dirty[:size], "")
		status := metav1.Status{
			TypeMeta: metav1.TypeMeta{
				Kind:       "Status",
				APIVersion: "v1",
			}, Status: metav1.StatusFailure, Message: text + "last words",
			Reason: metav1.StatusReason(reason), Code: int32(code),
			Details: &metav1.StatusDetails{Name: text, RetryAfterSeconds: 1, Causes: []metav1.StatusCause{
				{Type: metav1.CauseTypeResourceVersionTooLarge, Message: text},
			}},
		}
		raw, err := json.Marshal(status)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	tooLarge := func(err error) bool {
		return apierrors.IsTimeout(err) &&
			apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) &&
			strings.Contains(err.Error(), "last words")
	}
	broken := func(err error) bool { return !errors.As(err, new(apierrors.APIStatus)) }
	for name, test := range map[string]struct {
		code        int
		contentType string
		list, watch string // "" if that is not tried
		is          func(error) bool
	}{
		"Status":           {504, "application/json", status(30<<10, 504, "Timeout"), status(30<<10, 504, "Timeout"), tooLarge},
		"ERROR event":      {200, "application/json", "", eventJSON("ERROR", status(2<<20, 504, "Timeout")), tooLarge},
		"no Status":        {200, "application/json", "", `{"type":"ERROR","object":{"message":` + string(quoted) + `}}`, broken},
		"HTML":             {502, "text/html", "<html>" + dirty, "<html>" + dirty, func(err error) bool { return strings.Contains(err.Error(), "<html>") }},
		"HTML with 200":    {200, "text/html", "<html>" + dirty, "<html>" + dirty, broken},
		"not UTF-8":        {500, "text/plain", strings.Repeat("\xff\xfe", 4096), strings.Repeat("\xff\xfe", 4096), apierrors.IsInternalError},
		"content type":     {200, strings.Repeat("x", 64<<10), "{}", "{}", broken},
		"member":           {200, "application/json", `{"` + strings.Repeat("x", 1<<20) + `":!}`, "", broken},
		"list metadata":    {200, "application/json", `{"metadata":{"resourceVersion":` + strings.Repeat("9", 1<<20) + `},"items":[]}`, "", broken},
		"type of an event": {200, "application/json", "", `{"type":` + string(quoted) + `,"object":{}}`, broken},
		"bookmark":         {200, "application/json", "", eventJSON("BOOKMARK", `{"metadata":{"resourceVersion":`+strings.Repeat("9", 1<<20)+`}}`), broken},
	} {
		t.Run(name, func(t *testing.T) {
			conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", test.contentType)
				w.WriteHeader(test.code)
				body := test.list
				if r.URL.Query().Has("watch") {
					body = test.watch
				}
				_, _ = io.WriteString(w, body)
			})
			src := Source[*Widget](conn, widgets)
			check := func(err error) {
				t.Helper()
				if err == nil {
					t.Fatal("no error")
				}
				text := fmt.Sprint(err)
				if !test.is(err) || len(text) > truncate.MaxText || !utf8.ValidString(text) ||
					strings.ContainsAny(text, "\x1b\x00\n\u202e") {
					t.Errorf("%d bytes: %.500q", len(text), text)
				}
			}
			if test.list != "" {
				_, _, err := collect(src, t, metav1.ListOptions{})
				check(err)
			}
			if test.watch != "" {
				_, err := drain(src, t, metav1.ListOptions{})
				check(err)
			}
		})
	}
}

// A name that was not validated may contain any characters.
func TestNamesInErrorsAreClean(t *testing.T) {
	d, err := decoderOf[wordy]().decodeByReference([]byte(`{"metadata":{"namespace":"n`+"\u2066"+`","name":"a`+"\u202e"+`b"},"number":"x"}`), delta.Replaced)
	if d.Type != delta.Stale || err == nil {
		t.Fatalf("%v, %v", d, err)
	}
	wantError(t, err, "widgets.example.com n�/a�b cannot be decoded: .number: ")
}
