// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// statusOf turns an answer other than 200, of which body was read, into the
// *apierrors.StatusError that its body holds, or, if it holds none, into one made
// from its code.
func (e *endpoint) statusOf(verb string, answer *http.Response, body []byte) error {
	status := e.statusIn(verb, answer, body)
	if answer.StatusCode == http.StatusNotFound {
		status.ErrStatus.Message += fmt.Sprintf("; the request was for %s: is the CustomResourceDefinition installed that it belongs to, with this version and scope, and is Conn.BaseURL the root of the API?",
			e.shown())
	}
	return status
}

func (e *endpoint) statusIn(verb string, answer *http.Response, body []byte) *apierrors.StatusError {
	retryAfter := retryAfterSeconds(answer.Header.Get("Retry-After"))
	if status, ok := parseStatus(body); ok && status.Status != metav1.StatusSuccess {
		if status.Code < http.StatusBadRequest { // none, or one by which it would be no error
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
	err := apierrors.NewGenericServerResponse(answer.StatusCode, verb, e.resource, "", cmp.Or(said, "no reason given"), int(retryAfter), true)
	if quoted := strconv.Quote(said); said != "" && !strings.Contains(err.ErrStatus.Message, said) && !strings.Contains(err.ErrStatus.Message, quoted) {
		err.ErrStatus.Message += ": " + quoted
	}
	if answer.StatusCode == http.StatusNotFound {
		return err // whoever asked for this says more
	}
	// Perhaps no API server has made this, so it counts what it was and who was asked.
	err.ErrStatus.Message += fmt.Sprintf(" (%s from %s)", statusLine(answer.StatusCode), e.shown())
	return err
}

// statusLine is a code of HTTP and what it is called.
func statusLine(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

// textOf returns what an answer that is an error and holds no Status says in words. Not all say that
// they are text: one of Go's HTTPS servers to a request by HTTP does not.
func textOf(answer *http.Response, body []byte) string {
	if answer.StatusCode < http.StatusBadRequest {
		return "" // it may hold objects, which are nobody's business
	}
	contentType := answer.Header.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(contentType); contentType != "" && (err != nil || !strings.HasPrefix(media, "text/") && media != acceptJSON) {
		return ""
	}
	return strings.TrimSpace(truncate.Text(string(body[:min(len(body), maxQuotedBytes)]), maxQuotedBytes))
}

// parseStatus reads a metav1.Status.
func parseStatus(raw []byte) (metav1.Status, bool) {
	var status metav1.Status
	if err := decodeValue(raw, &status); err != nil || status.Kind != "Status" {
		return metav1.Status{}, false
	}
	return status, true
}

// asError returns the error that a Status is, with words where it has none of its own.
func asError(status metav1.Status) *apierrors.StatusError {
	status.Message = cmp.Or(status.Message, fmt.Sprintf("the server gives no message, but the reason %q and the code %d", status.Reason, status.Code))
	return &apierrors.StatusError{ErrStatus: status}
}

// statusMembers are the members of a Status that came in place of a list, but for its
// kind.
type statusMembers map[string]json.RawMessage

// note keeps a member that a Status has, if it has at most maxStatusBytes.
func (m *statusMembers) note(name string, raw []byte) {
	switch name {
	case "status", "message", "reason", "details", "code":
		if len(raw) > maxStatusBytes || !isJSON(raw) {
			return
		}
		if *m == nil {
			*m = statusMembers{}
		}
		(*m)[name] = bytes.Clone(raw)
	}
}

// err returns the error that the Status is, or says that it is one.
func (m statusMembers) err() error {
	raw, err := json.Marshal(map[string]json.RawMessage(m))
	if err != nil {
		return errStatus
	}
	var status metav1.Status
	if decodeValue(raw, &status) != nil || status.Status != metav1.StatusFailure {
		return errStatus
	}
	status.Kind, status.APIVersion = "Status", "v1"
	return fmt.Errorf("%w: %w", errStatus, asError(status))
}

// streamStatus turns the object of an ERROR event into an error.
func streamStatus(raw []byte) error {
	status, ok := parseStatus(raw)
	if !ok {
		return fmt.Errorf("the server sent an error event that holds no Status, but %q", raw[:min(len(raw), maxQuotedBytes)])
	}
	return asError(status)
}

// retryAfterSeconds reads a Retry-After header, which is a number of seconds or
// a date; 0 if it is neither or not in the future.
func retryAfterSeconds(header string) int32 {
	seconds, err := strconv.ParseInt(header, 10, 32)
	if err != nil {
		at, err := http.ParseTime(header)
		if err != nil {
			return 0
		}
		seconds = int64((time.Until(at) + time.Second - 1) / time.Second)
	}
	return int32(min(max(seconds, 0), 1<<31-1))
}
