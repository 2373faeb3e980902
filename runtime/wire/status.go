// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// statusOf returns the error of a response other than 200: the Status in its body, or a Status made of
// its code if the body has none.
func (e *endpoint) statusOf(verb string, answer *http.Response, body []byte) error {
	status := e.statusIn(verb, answer, body)
	if answer.StatusCode == http.StatusNotFound {
		status.ErrStatus.Message += fmt.Sprintf("; the request was for %s: is its CustomResourceDefinition "+
			"installed, with this version and scope, and does this URL begin with the root of the API?", e.shown())
	}
	return status
}

func (e *endpoint) statusIn(verb string, answer *http.Response, body []byte) *apierrors.StatusError {
	retryAfter := retryAfterSeconds(answer.Header.Get("Retry-After"))
	if status, ok := parseStatus(body); ok && status.Status != metav1.StatusSuccess {
		if status.Code < http.StatusBadRequest { // missing, or not the code of an error
			status.Code = int32(answer.StatusCode)
		}
		if retryAfter > 0 {
			if status.Details == nil {
				status.Details = &metav1.StatusDetails{}
			}
			if status.Details.RetryAfterSeconds == 0 {
				status.Details.RetryAfterSeconds = retryAfter
			}
		}
		return asError(status)
	}
	said := textOf(answer, body)
	err := apierrors.NewGenericServerResponse(
		answer.StatusCode, verb, e.resource, "", cmp.Or(said, "no reason given"), int(retryAfter), true)
	message, quoted := err.ErrStatus.Message, strconv.Quote(said)
	if said != "" && !strings.Contains(message, said) && !strings.Contains(message, quoted) {
		err.ErrStatus.Message += ": " + quoted
	}
	if answer.StatusCode == http.StatusNotFound {
		return err // statusOf adds more
	}
	// The response may come from a proxy, so the error has the status line and the URL.
	err.ErrStatus.Message += fmt.Sprintf(" (%s from %s)", statusLine(answer.StatusCode), e.shown())
	return err
}

// statusLine returns an HTTP code with its text.
func statusLine(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

// textOf returns the text of an error response without a Status. Some have no content type, such as
// that of Go's HTTPS server to an HTTP request.
func textOf(answer *http.Response, body []byte) string {
	if answer.StatusCode < http.StatusBadRequest {
		return "" // it may contain objects, which do not belong in an error
	}
	contentType := answer.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(contentType)
	if contentType != "" && (err != nil || !strings.HasPrefix(media, "text/") && media != mediaJSON) {
		return ""
	}
	return strings.TrimSpace(truncate.Text(string(body[:min(len(body), maxQuotedBytes)]), maxQuotedBytes))
}

// parseStatus reads a metav1.Status in JSON, or in protobuf with its envelope.
func parseStatus(raw []byte) (metav1.Status, bool) {
	var status metav1.Status
	if body, ok := bytes.CutPrefix(raw, []byte(magic)); ok {
		var envelope runtime.Unknown
		ok = envelope.Unmarshal(body) == nil && envelope.Kind == "Status" && status.Unmarshal(envelope.Raw) == nil
		return status, ok
	}
	if err := decodeValue(raw, &status); err != nil || status.Kind != "Status" {
		return metav1.Status{}, false
	}
	return status, true
}

// asError converts a Status into an error. A Status without a message gets one.
func asError(status metav1.Status) *apierrors.StatusError {
	status.Message = cmp.Or(status.Message,
		fmt.Sprintf("the server sent reason %q and code %d, without a message", status.Reason, status.Code))
	return &apierrors.StatusError{ErrStatus: status}
}

// streamStatus converts the object of an ERROR event into an error.
func streamStatus(raw []byte) error {
	status, ok := parseStatus(raw)
	if !ok {
		raw = raw[:min(len(raw), maxQuotedBytes)]
		return fmt.Errorf("the server sent an error event without a Status: %q", raw)
	}
	return asError(status)
}

// retryAfterSeconds reads a Retry-After header; 0 if it is not a positive number of seconds.
func retryAfterSeconds(header string) int32 {
	seconds, err := strconv.ParseInt(header, 10, 32)
	if err != nil {
		return 0
	}
	return int32(max(seconds, 0))
}
