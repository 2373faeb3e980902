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

// verdict is the consequence of an error for the next request.
type verdict uint8

const (
	// retryLater: the request is fine; repeat it later. No response, an overloaded server, or credentials
	// that the server does not know.
	retryLater verdict = iota
	// expired: the resourceVersion is too old; list.
	expired
	// tooLarge: the server does not have the resourceVersion yet or, after a restore from a
	// backup, no longer; list the latest state.
	tooLarge
	// invalid: the server rejects the request; list the latest state.
	invalid
	// unreadable: the server could not read an object, so the watch misses a change; list.
	unreadable
	// unexplained: any other error, such as missing permission or an invalid event. Repeat the request; list
	// if that goes on.
	unexplained
)

func classify(err error) verdict {
	switch {
	case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
		return expired
	case isVersionTooLarge(err):
		return tooLarge
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
		return invalid
	}
	var status apierrors.APIStatus
	if apierrors.IsStoreReadError(err) {
		return unreadable
	}
	if !errors.As(err, &status) {
		if isConnection(err) {
			return retryLater
		}
		return unexplained
	}
	switch code := status.Status().Code; {
	case code == http.StatusUnauthorized, code == http.StatusTooManyRequests,
		code == http.StatusRequestTimeout, code == http.StatusBadGateway,
		code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		return retryLater
	}
	return unexplained
}

// isVersionTooLarge recognizes a resourceVersion ahead of the server: a timeout with a cause or, from old
// servers, with only a message.
func isVersionTooLarge(err error) bool {
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

// isConnection recognizes errors of the connection, as opposed to those of the data.
func isConnection(err error) bool {
	var timeout interface{ Timeout() bool } // net.Error, url.Error, syscall.Errno
	return errors.Is(err, source.ErrCut) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &timeout)
}

// isStatus recognizes a response with a status, as opposed to no response.
func isStatus(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status)
}

// clientErrorCodeExcept429 returns the code of a 4xx response except 429, and 0 for any other error.
func clientErrorCodeExcept429(err error) int32 {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return 0
	}
	code := status.Status().Code
	if code/100 != 4 || code == http.StatusTooManyRequests {
		return 0
	}
	return code
}

// isRefused recognizes a response that the same request will get again, such as forbidden or not
// found.
func isRefused(err error) bool {
	switch clientErrorCodeExcept429(err) {
	case 0, http.StatusRequestTimeout, http.StatusGone:
		return false
	}
	return true
}

// showsHealthyServer reports whether err shows that the server is working: a 4xx response except 429, or a failure
// about its data (version too large, unreadable object, or version gone backward).
func showsHealthyServer(err error) bool {
	return clientErrorCodeExcept429(err) != 0 || isVersionTooLarge(err) || apierrors.IsStoreReadError(err) || errors.Is(err, errBackward)
}

// retryAfter returns the server's Retry-After, 0 if there is none.
func retryAfter(err error) time.Duration {
	seconds, _ := apierrors.SuggestsClientDelay(err)
	return time.Duration(seconds) * time.Second
}
