// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestStatusOfOtherAnswers(t *testing.T) {
	const status = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"widgets is forbidden","reason":"Forbidden","details":{"kind":"widgets"},"code":403}`
	isReason := func(reason metav1.StatusReason) func(error) bool {
		return func(err error) bool { return apierrors.ReasonForError(err) == reason }
	}
	for name, test := range map[string]struct {
		code        int
		contentType string
		retryAfter  string
		body        string
		is          func(error) bool
		message     string
		delay       int
	}{
		"status":             {code: 403, body: status, is: apierrors.IsForbidden, message: "widgets is forbidden"},
		"status, 410":        {code: 410, body: strings.Replace(strings.Replace(status, "403", "410", 1), "Forbidden", "Expired", 1), is: apierrors.IsResourceExpired},
		"status, header too": {code: 429, body: `{"kind":"Status","status":"Failure","reason":"TooManyRequests"}`, retryAfter: "7", is: apierrors.IsTooManyRequests, delay: 7},
		"status has its own": {code: 429, body: `{"kind":"Status","status":"Failure","reason":"TooManyRequests","details":{"retryAfterSeconds":3}}`, retryAfter: "7", is: apierrors.IsTooManyRequests, delay: 3},
		"text":               {code: 503, contentType: "text/plain; charset=utf-8", body: "apiserver is starting\n", retryAfter: "2", is: apierrors.IsServiceUnavailable, delay: 2},
		"server error":       {code: 500, contentType: "text/plain", body: "etcd is away\n", is: apierrors.IsInternalError, message: `"etcd is away"`},
		"HTML":               {code: 401, contentType: "text/html", body: "<html>log in", is: apierrors.IsUnauthorized},
		"no body":            {code: 404, is: apierrors.IsNotFound, message: "(list widgets.example.com)"},
		"gone":               {code: 410, body: "{}", is: isReason(metav1.StatusReasonUnknown), message: "410"},
		"cut status":         {code: 403, body: status[:50], is: apierrors.IsForbidden},
		"huge body":          {code: 500, body: strings.Repeat("x", 3<<20), is: apierrors.IsInternalError},
		"success of a kind":  {code: 202, body: `{"kind":"Status","status":"Success"}`, is: isReason(metav1.StatusReasonUnknown), message: "202"},
		"no content":         {code: 204, is: isReason(metav1.StatusReasonUnknown), message: "204"},
		"silly header":       {code: 429, retryAfter: "soon", is: apierrors.IsTooManyRequests},
		"negative header":    {code: 429, retryAfter: "-5", is: apierrors.IsTooManyRequests},
	} {
		t.Run(name, func(t *testing.T) {
			overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
				conn := start(func(w http.ResponseWriter, _ *http.Request) {
					if test.contentType != "" {
						w.Header().Set("Content-Type", test.contentType)
					}
					if test.retryAfter != "" {
						w.Header().Set("Retry-After", test.retryAfter)
					}
					w.WriteHeader(test.code)
					_, _ = io.WriteString(w, test.body)
				})
				src := Source[*Widget](conn, widgets)
				_, _, err := collect(src, t, metav1.ListOptions{})
				status, isStatus := errors.AsType[*apierrors.StatusError](err)
				if !isStatus || !test.is(err) {
					t.Fatalf("%T: %v", err, err)
				}
				wantError(t, err, test.message)
				if delay, _ := apierrors.SuggestsClientDelay(err); delay != test.delay {
					t.Errorf("delay %d, want %d", delay, test.delay)
				}
				if int(status.ErrStatus.Code) != test.code {
					t.Errorf("code %d", status.ErrStatus.Code)
				}
				if len(err.Error()) > 2*maxQuotedBytes {
					t.Errorf("an error of %d bytes", len(err.Error()))
				}
				if _, err := drain(src, t, metav1.ListOptions{}); !test.is(err) {
					t.Errorf("watch: %v", err)
				}
			})
		})
	}
}

func TestRetryAfter(t *testing.T) {
	if got := retryAfterSeconds("Mon, 02 Jan 2006 15:04:05 GMT"); got != 0 {
		t.Errorf("the past is %d s", got)
	}
	if got := retryAfterSeconds("99999999999"); got != 0 {
		t.Errorf("out of range is %d s", got)
	}
}

func TestContentType(t *testing.T) {
	for contentType, want := range map[string]string{
		"application/json":                             "",
		"application/json;stream=watch":                "",
		"application/json; charset=utf-8":              "",
		"application/json;as=Table;v=v1;g=meta.k8s.io": "Table",
		"text/html":                           "check Conn.BaseURL",
		"application/vnd.kubernetes.protobuf": "instead of JSON or protobuf",
		"application/json, text/html":         "instead of JSON or protobuf",
		"application/vnd.kubernetes.protobuf;stream=watch;x=\"\"": "instead of JSON or protobuf",
	} {
		conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			send(w, listJSON())
		})
		_, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
		if want != "" {
			wantError(t, err, "list of widgets.example.com", want)
		} else if err != nil {
			t.Errorf("%s: %v", contentType, err)
		}
	}
}
