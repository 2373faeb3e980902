// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"io"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// No error shows a password or token of Conn.BaseURL.
func TestErrorsHideCredentials(t *testing.T) {
	code, body := http.StatusOK, "<html>"
	conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		if user, password, ok := r.BasicAuth(); ok &&
			(user != "s3cret" || password != "" && password != "s3cret") {
			t.Errorf("the server got %q and %q", user, password)
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	})
	_, host, _ := strings.Cut(conn.BaseURL, "://")
	for _, base := range []string{
		"http://s3cret:s3cret@" + host, "http://s3cret@" + host,
		"http://s3cret:s3cret@127.0.0.1:1", "http://s3cret@127.0.0.1:1",
		"http://" + host + "/?token=s3cret", "http://" + host + "/#s3cret", "http://" + host + "?s3cret",
		"http://u:s3cret@" + host + "/?token=s3cret",
		"http://u:s3cr et@" + host, "http://u:%s3cret@" + host, "http://u:s3cret/@" + host, "http://" + host + "/%zz?token=s3cret",
		"ftp://u:s3cret@" + host, "u:s3cret@" + host, "//u:s3cret@" + host, "s3cret@" + host, "http:u:s3cret@" + host, "http:///?s3cret",
		"\x00http://u:s3cret@" + host,
	} {
		conn.BaseURL = base
		for _, answer := range []int{http.StatusOK, http.StatusNotFound, http.StatusBadGateway} {
			code = answer
			_, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
			wantError(t, err, "widgets")
			if strings.Contains(err.Error(), "s3cr") {
				t.Errorf("%s, %d: %v", base, code, err)
			}
		}
	}
}
