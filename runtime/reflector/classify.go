// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// verdict is what an error means for the next request.
type verdict uint8

const (
	// again: nothing is wrong with the request; send it again later. No answer,
	// an overloaded server, missing permission.
	again verdict = iota
	// expired: the resourceVersion is too old; list.
	expired
	// tooLarge: the server does not know the resourceVersion yet, or, if it was
	// restored from a backup, any more; list whatever there is.
	tooLarge
	// invalid: the server does not accept the request; list whatever there is.
	invalid
	// lost: the server could not read an object, so that a watch lacks a change; list.
	lost
	// unclear: anything else, such as bytes that are no event. Send it again, but
	// list if that goes on.
	unclear
)

func classify(err error) verdict {
	switch {
	case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
		return expired
	case isTooLarge(err):
		return tooLarge
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
		return invalid
	}
	var status apierrors.APIStatus
	if apierrors.IsStoreReadError(err) {
		return lost
	}
	if !errors.As(err, &status) {
		if isConnection(err) {
			return again
		}
		return unclear
	}
	switch code := status.Status().Code; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusTooManyRequests,
		code == http.StatusRequestTimeout, code == http.StatusBadGateway,
		code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		return again
	}
	return unclear
}

// isTooLarge recognizes a resourceVersion that is ahead of the server: a timeout with
// a cause, or, from old servers, with only a message.
func isTooLarge(err error) bool {
	if apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) {
		return true
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) || !apierrors.IsTimeout(err) {
		return false
	}
	s := status.Status()
	if s.Details != nil {
		for _, cause := range s.Details.Causes {
			if strings.Contains(cause.Message, "Too large resource version") {
				return true
			}
		}
	}
	return strings.Contains(s.Message, "Too large resource version")
}

// isConnection recognizes errors of the connection rather than of what came over it.
func isConnection(err error) bool {
	var timeout interface{ Timeout() bool } // net.Error, url.Error, syscall.Errno
	return errors.Is(err, source.ErrCut) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &timeout)
}

// isRefused recognizes an answer that this request will get again, though another
// may not: it is not allowed or not there.
func isRefused(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	switch code := status.Status().Code; code {
	case http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusGone:
		return false
	default:
		return code >= 400 && code < 500
	}
}

// isAnswer recognizes an error that a working server answered: anything below 500 but 429,
// and what says that its data is not what the reflector has seen.
func isAnswer(err error) bool {
	if isTooLarge(err) || apierrors.IsStoreReadError(err) || errors.Is(err, ErrBackward) {
		return true
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	code := status.Status().Code
	return code >= 400 && code < 500 && code != http.StatusTooManyRequests
}

// retryAfter returns how long the server asked to wait.
func retryAfter(err error) time.Duration {
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok && seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	return 0
}
