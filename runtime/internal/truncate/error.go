// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package truncate

import (
	"errors"
	"reflect"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	maxReason  = 128
	maxName    = 384
	maxCauses  = 32
	maxMessage = 512 // of a cause
	maxToken   = 16 << 10
)

// Error returns err if its text and its Status are short and clean. Otherwise it returns an error with
// the result of Text, which errors.Is and errors.As treat like err, except that its Status is the
// result of [Status]. Error returns nil for nil.
func Error(err error) error {
	if err == nil {
		return nil
	}
	long := err.Error()
	short := &shortError{text: Text(long, MaxText), err: err}
	var carried apierrors.APIStatus
	if errors.As(err, &carried) {
		whole := carried.Status()
		if status := Status(whole); !reflect.DeepEqual(status, whole) {
			short.status = &apierrors.StatusError{ErrStatus: status}
		}
	}
	if short.status == nil && short.text == long {
		return err
	}
	_, bare := err.(*apierrors.StatusError) //nolint:errorlint // one that is wrapped keeps what wraps it
	if bare && short.status != nil {
		return short.status
	}
	return short
}

// shortError is err with a shorter text and Status.
type shortError struct {
	text   string
	status *apierrors.StatusError // nil if that of err is short, or if err has none
	err    error
}

func (e *shortError) Error() string { return e.text }

func (e *shortError) Unwrap() error { return e.err }

// As returns the short Status in place of that of err.
func (e *shortError) As(target any) bool {
	return e.status != nil && errors.As(e.status, target)
}

// Status returns s with its texts limited and cleaned by Text. The fields that programs read stay
// complete: the code, the types of causes, the delay and the continue token. At most 32 causes are
// kept. s is not changed.
func Status(s metav1.Status) metav1.Status {
	s.Message = Text(s.Message, MaxText)
	s.Reason = metav1.StatusReason(Text(string(s.Reason), maxReason))
	s.Kind, s.APIVersion = Text(s.Kind, maxReason), Text(s.APIVersion, maxReason)
	s.Status, s.ResourceVersion = Text(s.Status, maxReason), Text(s.ResourceVersion, maxReason)
	s.SelfLink = Text(s.SelfLink, maxName) //nolint:staticcheck // old servers send it
	if len(s.Continue) > maxToken {
		s.Continue = "" // part of a token is none
	}
	if s.Details == nil {
		return s
	}
	details := *s.Details
	details.Name, details.Group = Text(details.Name, maxName), Text(details.Group, maxName)
	details.Kind, details.UID = Text(details.Kind, maxReason), types.UID(Text(string(details.UID), maxReason))
	details.Causes = slices.Clone(details.Causes[:min(len(details.Causes), maxCauses)])
	for i, c := range details.Causes {
		details.Causes[i] = metav1.StatusCause{
			Type:    metav1.CauseType(Text(string(c.Type), maxReason)),
			Message: Text(c.Message, maxMessage),
			Field:   Text(c.Field, maxName),
		}
	}
	s.Details = &details
	return s
}
