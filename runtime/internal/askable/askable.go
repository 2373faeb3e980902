// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package askable tells which foreign errors can be asked what they are, and prints what
// cannot be printed otherwise.
//
// errors.Is, errors.As and the functions of k8s.io/apimachinery/pkg/api/errors call methods
// of an error and of all that it wraps. If the error comes from a transform, a handler or a
// source, these are foreign code, and the classic nil pointer in an error that is not nil
// panics in them: also in a deferred function that has just recovered from a panic, and long
// after the call that the error came from. So what comes from outside goes through Error
// once, where it comes in, and can be asked by everybody from then on.
package askable

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// mostWrapped is how many errors one may wrap, at all depths; one that wraps itself wraps
// more.
const mostWrapped = 1 << 12

// Error returns err if that can be asked what it is, and else an error that has its text and
// wraps nothing. Of nil it returns nil.
func Error(err error) error {
	if err == nil || Can(err) {
		return err
	}
	return errors.New(Text(err))
}

// Can reports whether errors.Is and errors.As come to an end with err, as do its Error and,
// if it is an API server's, its Status. What a method does the next time that it is called,
// or with another target, nobody knows.
func Can(err error) (can bool) {
	defer func() {
		if recover() != nil {
			can = false
		}
	}()
	if left := mostWrapped; !ends(err, &left) {
		return false
	}
	var none *unasked
	_ = errors.Is(err, errUnasked) || errors.As(err, &none)
	var status interface{ Status() metav1.Status }
	if errors.As(err, &status) {
		_ = status.Status()
	}
	_ = err.Error()
	return true
}

// ends reports whether err wraps no more than left others.
func ends(err error, left *int) bool {
	if err == nil {
		return true
	}
	if *left--; *left < 0 {
		return false
	}
	switch err := err.(type) { //nolint:errorlint // this is what unwraps
	case interface{ Unwrap() error }:
		return ends(err.Unwrap(), left)
	case interface{ Unwrap() []error }:
		for _, one := range err.Unwrap() {
			if !ends(one, left) {
				return false
			}
		}
	}
	return true
}

// Text is fmt.Sprint also where that panics, as it does when a method of v panics with
// something of which a method panics; and of an error that is a nil pointer it says its type.
func Text(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a %T that cannot be printed", v)
		}
	}()
	text = fmt.Sprint(v)
	if err, ok := v.(error); ok && text == "<nil>" {
		return fmt.Sprintf("a nil %T", err)
	}
	return text
}

// unasked is an error that none is.
type unasked struct{ error }

var errUnasked = &unasked{}
