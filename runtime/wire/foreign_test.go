// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// foreign decodes itself, and not well.
type foreign struct{}

func (*foreign) UnmarshalJSON(raw []byte) error {
	switch string(raw) {
	case `"exits"`:
		runtime.Goexit()
	}
	return nil
}

type foreignObject struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Odd foreign `json:"odd"`
}

func foreignJSON(name, odd string) string {
	return fmt.Sprintf(`{"metadata":{"namespace":"ns","name":%q,"annotations":{"long":%q}},"odd":%q}`, name, strings.Repeat("x", 200), odd)
}

// A method of an object that ends its goroutine ends that of whoever reads the list, be it
// decoded by others or not: the list does not end as if all had come, nor never.
func TestMethodsThatEndTheirGoroutine(t *testing.T) {
	for _, bad := range []int{1, 40} {
		for _, size := range []int{1, 2, 4} {
			items := make([]string, 4000)
			for i := range items {
				items[i] = foreignJSON(fmt.Sprint("a", i), "good")
			}
			for i := range bad {
				items[2000+40*i] = foreignJSON("bad", "exits")
			}
			decoder := func() *objectDecoder[foreignObject, *foreignObject] {
				return &objectDecoder[foreignObject, *foreignObject]{resource: widgets.GroupResource(), fast: decode.New(decode.Options{})}
			}
			n, returned, over := 0, false, make(chan struct{})
			go func() {
				defer close(over)
				list := listDecoder[foreignObject, *foreignObject]{
					framer: newFramer(strings.NewReader(listJSON(items...)), testLimit*4, 0),
					team:   team[foreignObject, *foreignObject]{first: decoder(), size: size, pace: pace{every: 1}, hire: decoder, abandon: func() {}},
					each:   func(source.Item[*foreignObject]) error { n++; return nil },
				}
				_, _ = list.decode()
				returned = true
			}()
			<-over
			if returned || n != 2000 {
				t.Errorf("%d of a team of %d: returned %v after %d objects of 2000", bad, size, returned, n)
			}
		}
	}
}

// What was compressed and is broken has not merely been cut off, and what nobody has
// inflated is called by its name.
func TestCompressedAnswersThatAreBroken(t *testing.T) {
	var text strings.Builder
	z := gzip.NewWriter(&text)
	_, _ = io.WriteString(z, listJSON(widgetJSON("a")))
	_ = z.Close()
	whole := text.String()
	answer := func(body string) Conn {
		return serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, body)
		})
	}
	for body, cut := range map[string]bool{
		"no gzip at all": false,
		whole[:len(whole)-5] + "x" + whole[len(whole)-4:]: false, // a checksum
		whole[:30] + strings.Repeat("\xff", 100):          false,
		whole[:30]:                                        true,
	} {
		_, _, err := collect(Source[Widget](answer(body), widgets, ""), t, metav1.ListOptions{})
		if err == nil || errors.Is(err, source.ErrCut) != cut {
			t.Errorf("%q: %v", body, err)
		}
	}
	conn := answer(whole)
	conn.Client = &http.Client{Transport: asking{http.DefaultTransport}}
	_, _, err := collect(Source[Widget](conn, widgets, ""), t, metav1.ListOptions{})
	wantError(t, err, "encoded (gzip)", "Accept-Encoding")
}

// asking sets a header by which the transport below leaves answers as they come.
type asking struct{ http.RoundTripper }

func (a asking) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Accept-Encoding", "gzip")
	return a.RoundTripper.RoundTrip(r)
}

// An error always says something, and of a refusal without a Status what it was and by whom.
func TestRefusalsThatSayNothing(t *testing.T) {
	const mute = `{"kind":"Status","status":"Failure","reason":"Forbidden","code":403}`
	for _, test := range []struct {
		code int
		body string
		want []string
	}{
		{403, mute, []string{`the reason "Forbidden"`, "403"}},
		{200, mute, []string{"instead of a list", `the reason "Forbidden"`}},
		{403, "", []string{"403 Forbidden from http://", "/apis/example.com/v1/widgets", "no reason given"}},
		{502, "", []string{"502 Bad Gateway from http://"}},
	} {
		_, _, err := collect(Source[Widget](serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(test.code)
			_, _ = io.WriteString(w, test.body)
		}), widgets, ""), t, metav1.ListOptions{})
		wantError(t, err, test.want...)
		if test.code == 403 && !apierrors.IsForbidden(err) {
			t.Errorf("%#v", err)
		}
	}
	_, err := drain(Source[Widget](serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, eventJSON("ERROR", mute))
	}), widgets, ""), t, metav1.ListOptions{})
	wantError(t, err, `the reason "Forbidden"`)
}
