// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"io"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
