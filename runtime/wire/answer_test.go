// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A corrupt compressed response is not reported as a cut connection, and a response that the
// Transport did not decompress is reported as such.
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
		_, _, err := collect(Source[*Widget](answer(body), widgets), t, metav1.ListOptions{})
		if err == nil || errors.Is(err, source.ErrCut) != cut {
			t.Errorf("%q: %v", body, err)
		}
	}
	conn := answer(whole)
	conn.Client = &http.Client{Transport: asking{http.DefaultTransport}}
	_, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
	wantError(t, err, "encoded (gzip)", "Accept-Encoding")
}

// asking sets a header by which the transport below leaves answers as they come.
type asking struct{ http.RoundTripper }

func (a asking) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Accept-Encoding", "gzip")
	return a.RoundTripper.RoundTrip(r)
}

// An error always has a text. Without a Status it has the status line and the URL.
func TestRefusalsThatSayNothing(t *testing.T) {
	const mute = `{"kind":"Status","status":"Failure","reason":"Forbidden","code":403}`
	for _, test := range []struct {
		code int
		body string
		want []string
	}{
		{403, mute, []string{`reason "Forbidden"`, "403"}},
		{200, mute, []string{"instead of a list"}},
		{403, "", []string{"403 Forbidden from http://", "/apis/example.com/v1/widgets", "no reason given"}},
		{502, "", []string{"502 Bad Gateway from http://"}},
	} {
		_, _, err := collect(Source[*Widget](serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(test.code)
			_, _ = io.WriteString(w, test.body)
		}), widgets), t, metav1.ListOptions{})
		wantError(t, err, test.want...)
		if test.code == 403 && !apierrors.IsForbidden(err) {
			t.Errorf("%#v", err)
		}
	}
	_, err := drain(Source[*Widget](serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, eventJSON("ERROR", mute))
	}), widgets), t, metav1.ListOptions{})
	wantError(t, err, `reason "Forbidden"`)
}
