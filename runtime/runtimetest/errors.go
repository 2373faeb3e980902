// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest

import (
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Expired is the error of an API server that no longer has a resourceVersion.
func Expired() error { return expired(1, 5) }

func expired(version, oldest int) error {
	return apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", version, oldest))
}

// TooLarge is the error of an API server that does not have a resourceVersion yet.
func TooLarge() error { return tooLarge(9, 5) }

func tooLarge(version, current int) error {
	message := fmt.Sprintf("Too large resource version: %d, current: %d", version, current)
	err := apierrors.NewTimeoutError(message, 1)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{
		Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version",
	}}
	return err
}

// Forbidden is the error of an API server that does not permit verb on resource.
func Forbidden(verb string, resource schema.GroupResource) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden,
		Message: fmt.Sprintf("%s is forbidden: User \"u\" cannot %s resource %q", resource, verb, resource.Resource),
		Details: &metav1.StatusDetails{Group: resource.Group, Kind: resource.Resource},
	}}
}

// WatchListForbidden is the error of an API server without WatchList.
func WatchListForbidden() error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
		Message: `ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: ` +
			`sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled`,
	}}
}

// TooManyRequests is status 429 of an API server, with Retry-After.
func TooManyRequests(seconds int) error {
	return apierrors.NewTooManyRequests("too many requests", seconds)
}
