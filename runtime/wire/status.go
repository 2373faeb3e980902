// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"
)

// statusOf turns an answer other than 200 into the *apierrors.StatusError that
// its body holds, or, if it holds none, into one made from its code.
func (e *endpoint) statusOf(verb string, answer *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(answer.Body, maxStatusBytes))
	retryAfter := retryAfterSeconds(answer.Header.Get("Retry-After"))
	if status, ok := parseStatus(body); ok && status.Status != metav1.StatusSuccess {
		if status.Code == 0 {
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
		return &apierrors.StatusError{ErrStatus: status}
	}
	message := "unknown"
	if media, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type")); err == nil && strings.HasPrefix(media, "text/") {
		message = strings.TrimSpace(string(body[:min(len(body), maxQuotedBytes)]))
	}
	return apierrors.NewGenericServerResponse(answer.StatusCode, verb, e.resource, "", message, int(retryAfter), true)
}

// parseStatus reads a metav1.Status.
func parseStatus(raw []byte) (metav1.Status, bool) {
	var status metav1.Status
	if err := json.Unmarshal(raw, &status); err != nil || status.Kind != "Status" {
		return metav1.Status{}, false
	}
	return status, true
}

// streamStatus turns the object of an ERROR event into an error.
func streamStatus(raw []byte) error {
	status, ok := parseStatus(raw)
	if !ok {
		return fmt.Errorf("the server sent an error event that holds no Status, but %q", raw[:min(len(raw), maxQuotedBytes)])
	}
	return &apierrors.StatusError{ErrStatus: status}
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
