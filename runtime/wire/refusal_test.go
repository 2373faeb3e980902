// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// open returns a body that blocks after text.
func open(ctx context.Context, text string) io.ReadCloser {
	return io.NopCloser(io.MultiReader(strings.NewReader(text), stuck{ctx}))
}

// An error response is reported even if its body does not end.
func TestErrorsWhoseBodyDoesNotEnd(t *testing.T) {
	const status = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"at } work","reason":"ServiceUnavailable","code":503}`
	for name, test := range map[string]struct {
		code              int
		contentType, body string
		is                func(error) bool
		message           string
		within            time.Duration
	}{
		"nothing":        {410, "application/json", "", func(err error) bool { return err != nil }, "410", refusalPatience},
		"a whole Status": {503, "application/json", " " + status + "\n", apierrors.IsServiceUnavailable, "at } work", refusalPatience},
		"half a Status":  {503, "application/json", status[:60], apierrors.IsServiceUnavailable, "", refusalPatience},
		"HTML":           {200, "text/html", "<html>", func(err error) bool { return err != nil }, `beginning "<html>"`, refusalPatience},
		"a Table":        {200, "application/json;as=Table;v=v1;g=meta.k8s.io", "{", func(err error) bool { return errors.Is(err, errTable) }, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				closes := 0
				conn := Conn{BaseURL: "http://server", Client: &http.Client{Transport: answer(func(r *http.Request) (*http.Response, error) {
					if r.Close {
						closes++
					}
					return &http.Response{StatusCode: test.code, Header: http.Header{"Content-Type": {test.contentType}}, Body: open(r.Context(), test.body)}, nil
				})}}
				src := Source[*Widget](conn, widgets)
				for range 2 {
					began := time.Now()
					_, _, err := collect(src, t, metav1.ListOptions{})
					if !test.is(err) || time.Since(began) != test.within {
						t.Errorf("%v after %v", err, time.Since(began))
					}
					wantError(t, err, test.message)
				}
				if want := test.within == refusalPatience; (closes > 0) != want {
					t.Errorf("the next request left the connection: %v, want %v", closes > 0, want)
				}
				if _, err := drain(src, t, metav1.ListOptions{}); !test.is(err) {
					t.Errorf("watch: %v", err)
				}
				why := errors.New("no longer wanted")
				ctx, cancel := context.WithCancelCause(t.Context())
				cancel(why)
				if _, err := src.List(ctx, metav1.ListOptions{}, nil); !errors.Is(err, why) {
					t.Errorf("%v instead of why the caller gave up", err)
				}
			})
		})
	}
}

// A body that comes in drops is not read for longer than one that does not come.
func TestErrorsWhoseBodyComesInDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := Conn{BaseURL: "http://server", Client: &http.Client{Transport: answer(func(r *http.Request) (*http.Response, error) {
			out, in := io.Pipe()
			go func() {
				for {
					time.Sleep(time.Second - time.Millisecond)
					if _, err := io.WriteString(in, "!"); err != nil || r.Context().Err() != nil {
						_ = in.CloseWithError(context.Cause(r.Context()))
						return
					}
				}
			}()
			return &http.Response{StatusCode: 500, Header: http.Header{}, Body: out}, nil
		})}}
		began := time.Now()
		_, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
		wantError(t, err, `"!!!!!`)
		if waited := time.Since(began); waited > refusalPatience+time.Second {
			t.Errorf("after %v", waited)
		}
		time.Sleep(time.Minute)
	})
}

// The text of an error response is in the error, for every code.
func TestAnswersInWordsAreQuoted(t *testing.T) {
	const words = "Client sent an HTTP request to an HTTPS server."
	for name, test := range map[string]struct {
		code              int
		contentType, body string
		want, not         string
	}{
		"without a type": {400, "", words + "\n", `: "` + words + `"`, "\n"},
		"text":           {400, "text/plain; charset=utf-8", words, words, "unknown\""},
		"JSON":           {401, "application/json", `{"message":"expired"}`, "expired", ""},
		"once":           {502, "text/plain", "no upstream", `"no upstream"`, `upstream": "no`},
		"forbidden":      {403, "text/plain", "not you", "not you", `not you: `},
		"bytes":          {400, "application/octet-stream", "\x00\x01\xff", "unknown reason", "\x00"},
		"odd bytes":      {400, "", "a\xff\x00b\nc", `"a�b c"`, "\x00"},
		"nothing":        {400, "", "", "unknown reason", `""`},
		"no error":       {206, "application/json", listJSON(widgetJSON("a")), "206", "node-a"},
	} {
		conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			if test.contentType != "" {
				w.Header().Set("Content-Type", test.contentType)
			}
			w.WriteHeader(test.code)
			_, _ = io.WriteString(w, test.body)
		})
		_, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
		wantError(t, err, test.want)
		if test.not != "" && strings.Contains(err.Error(), test.not) {
			t.Errorf("%s: %q", name, err)
		}
	}
}

// A 404 is of the resource, never of an object, so it tells where that was looked for.
func TestNotFoundTellsWhereAndWhatToLookAt(t *testing.T) {
	for contentType, body := range map[string]string{
		"text/plain":       "404 page not found\n",
		"application/json": `{"kind":"Status","status":"Failure","message":"the server could not find the requested resource","reason":"NotFound","code":404}`,
	} {
		conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, body)
		})
		url := conn.BaseURL + "/apis/example.com/v1/namespaces/ns/widgets"
		conn.BaseURL = strings.Replace(conn.BaseURL, "http://", "http://user:secret@", 1)
		_, _, err := collect(Source[*Widget](conn, widgets, InNamespace("ns")), t, metav1.ListOptions{Limit: 5})
		wantError(
			t,
			err,
			"could not find the requested resource",
			strings.TrimPrefix(url, "http://"),
			"CustomResourceDefinition",
			"does this URL begin with the root of the API",
		)
		if !apierrors.IsNotFound(err) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%#v", err)
		}
	}
}

// A Status that calls itself a success does not make one of a refusal.
func TestCodeOfARefusalIsOfAnError(t *testing.T) {
	conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"kind":"Status","status":"Failure","reason":"Forbidden","code":200}`)
	})
	_, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
	if status, ok := errors.AsType[*apierrors.StatusError](err); !ok ||
		status.ErrStatus.Code != http.StatusForbidden {
		t.Errorf("%#v", err)
	}
}
