// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// serverReasons are the API server's reasons that Reason returns unchanged.
var serverReasons = []metav1.StatusReason{
	metav1.StatusReasonUnauthorized, metav1.StatusReasonForbidden, metav1.StatusReasonNotFound,
	metav1.StatusReasonConflict, metav1.StatusReasonGone, metav1.StatusReasonInvalid,
	metav1.StatusReasonTimeout, metav1.StatusReasonServerTimeout, metav1.StatusReasonTooManyRequests,
	metav1.StatusReasonBadRequest, metav1.StatusReasonMethodNotAllowed,
	metav1.StatusReasonNotAcceptable, metav1.StatusReasonUnsupportedMediaType,
	metav1.StatusReasonInternalError, metav1.StatusReasonExpired,
	metav1.StatusReasonServiceUnavailable, metav1.StatusReasonStoreReadError,
}

// Reason classifies an error of a reflector, or the end of a watch, by one of a few dozen words, for
// labels of metrics: a known metav1.StatusReason, "TooLargeResourceVersion", "Connection", a word for
// each error of this package, or "Other". For nil it is "Closed": the server ended the stream
// normally. The end of a watch is "TimedOut" if it was requested, and "Pressed" if the sink was full.
func Reason(err error) string {
	var own *errorWithReason
	reason := apierrors.ReasonForError(err)
	switch {
	case err == nil:
		return "Closed"
	case errors.As(err, &own):
		return own.reason
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "Canceled"
	case isVersionTooLarge(err):
		return "TooLargeResourceVersion"
	case slices.Contains(serverReasons, reason):
		return string(reason)
	case isConnection(err):
		return "Connection"
	}
	return "Other"
}
