// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// reasons are words for errors that are not the API server's, in the order in which
// they are looked for.
var reasons = []struct {
	err  error
	word string
}{
	{ErrShortWatch, "ShortWatch"}, {ErrOverdue, "Overdue"}, {ErrNoBookmark, "NoBookmark"}, {ErrStalled, "Stalled"},
	{ErrSlowList, "SlowList"}, {ErrIncomplete, "Incomplete"}, {ErrBackward, "Backward"}, {ErrUnversioned, "Unversioned"},
	{ErrTransformed, "Transform"}, {ErrTransformPanicked, "Transform"},
	{ErrSameToken, "EndlessList"}, {ErrEndlessList, "EndlessList"},
	{context.Canceled, "Canceled"}, {context.DeadlineExceeded, "Canceled"},
}

// serverReasons are those of the API server that are passed on as they are.
var serverReasons = map[metav1.StatusReason]bool{
	metav1.StatusReasonUnauthorized: true, metav1.StatusReasonForbidden: true, metav1.StatusReasonNotFound: true,
	metav1.StatusReasonConflict: true, metav1.StatusReasonGone: true, metav1.StatusReasonInvalid: true,
	metav1.StatusReasonServerTimeout: true, metav1.StatusReasonTimeout: true, metav1.StatusReasonTooManyRequests: true,
	metav1.StatusReasonBadRequest: true, metav1.StatusReasonMethodNotAllowed: true, metav1.StatusReasonNotAcceptable: true,
	metav1.StatusReasonUnsupportedMediaType: true, metav1.StatusReasonInternalError: true, metav1.StatusReasonExpired: true,
	metav1.StatusReasonServiceUnavailable: true, metav1.StatusReasonStoreReadError: true,
}

// Reason sorts an error of a reflector, or why a watch ended, into one of a few dozen
// words, fit for a label of a metric: those of the API server (metav1.StatusReason) that
// are known, "TooLargeResourceVersion", "Connection" and others that say which of the
// errors of this package it is, "Other"; and for nil "Closed": the server has ended the
// stream in good order. Of a watch it is "TimedOut" if it was asked to, and "Pressed" if
// it ended while the sink had no room.
func Reason(err error) string {
	if err == nil {
		return "Closed"
	}
	for _, r := range reasons {
		if errors.Is(err, r.err) {
			return r.word
		}
	}
	if isTooLarge(err) {
		return "TooLargeResourceVersion"
	}
	if reason := apierrors.ReasonForError(err); serverReasons[reason] {
		return string(reason)
	}
	if isConnection(err) {
		return "Connection"
	}
	return "Other"
}
