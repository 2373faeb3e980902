// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// maxKey is the size, in bytes, up to which an error has the key of an object: all of a valid
// one.
const maxKey = 384

// Op is what a reflector was doing when an error occurred.
type Op string

// The operations of a reflector.
const (
	OpList      Op = "list"
	OpWatchList Op = "watch list" // a watch that begins by sending what exists
	OpWatch     Op = "watch"
	OpResume    Op = "resume" // asking whether a watch may go on where the last one ended
	OpDecode    Op = "decode" // an object that was received could not be used
)

// Error is an error that a reflector met. It stops nothing: after every error but a decode
// error and ErrSlowList, the reflector tries again.
type Error struct {
	Op   Op
	Time time.Time
	// Reason is the API server's, "" if the error does not come from there.
	Reason metav1.StatusReason
	// Key is that of the object in question on a decode error, if it is known.
	Key *types.NamespacedName
	// Wait is how long the reflector waits before it goes on. It is part of the text if
	// the server has asked for it.
	Wait time.Duration
	Err  error
}

// Error says what failed and why.
func (e *Error) Error() string {
	text := e.Err.Error()
	if e.Key != nil && !strings.Contains(text, e.Key.String()) { // sources name the object, transforms do not
		return fmt.Sprintf("%s %s: %s", e.Op, truncate.Text(e.Key.String(), maxKey), text)
	}
	if e.Wait > 0 && retryAfter(e.Err) > 0 {
		return fmt.Sprintf("%s: %s (next attempt in %v)", e.Op, text, e.Wait.Round(time.Second))
	}
	return fmt.Sprintf("%s: %s", e.Op, text)
}

// Unwrap returns what the source said.
func (e *Error) Unwrap() error { return e.Err }

// newError returns an Error of err that is short enough for a log.
func newError(op Op, err error) *Error {
	err = truncate.Error(err)
	return &Error{Op: op, Time: time.Now(), Reason: apierrors.ReasonForError(err), Err: err}
}

// What went wrong without the source calling it an error. All of them are retried.
var (
	// ErrShortWatch: the server ended a watch as soon as it had begun.
	ErrShortWatch = errors.New("the watch ended as soon as it had begun")
	// ErrOverdue: the server kept a watch open for longer than it was asked to.
	ErrOverdue = errors.New("the watch did not end in the time that the server was given")
	// ErrNoBookmark: a WatchList ended before the server said that it had sent
	// everything that exists.
	ErrNoBookmark = errors.New("the initial events ended without the bookmark that closes them")
	// ErrStalled: nothing was received for the time that Options allow.
	ErrStalled = errors.New("nothing was received for too long")
	// ErrSlowList: a list has brought neither an object nor 64 KiB for 30 s. It goes on, and
	// is reported once until it brings something again. Only sources of package wire report
	// bytes, and a typed client brings all objects when it returns.
	ErrSlowList = errors.New("the list has brought neither an object nor 64 KiB for 30s; " +
		"it goes on, but the server or the connection is slow or hangs")
	// ErrIncomplete: objects were received of which not even the key could be
	// read, so that what is missing from the list is not known to be deleted.
	ErrIncomplete = errors.New("the list holds objects without a readable name; nothing was replaced")
	// ErrBackward: what was received is older than what had been read before.
	ErrBackward = errors.New("the server has gone back to an older resourceVersion")
	// ErrUnversioned: a watch of a source that has no resourceVersions ended; all
	// must be read again, since nothing says where to go on.
	ErrUnversioned = errors.New("the watch ended and cannot go on, for the source has no resourceVersions")
	// ErrTransformed: a transform returned no object, or one of another name.
	ErrTransformed = errors.New("the transform must return an object of the same name")
	// ErrTransformFailed: a transform returned an error, which is wrapped too.
	ErrTransformFailed = errors.New("the transform failed")
	// ErrTransformPanicked: a transform panicked. The object is treated as one that
	// cannot be decoded.
	ErrTransformPanicked = errors.New("the transform panicked")
	// ErrSameToken: a page of a list came with a continue token that an earlier page of
	// that list had.
	ErrSameToken = errors.New("the continue token of a page leads back to an earlier page")
	// ErrEndlessList: a list has more pages or objects than Options allow, or a server that
	// pages without being asked to does not keep the pages.
	ErrEndlessList = errors.New("the list does not end")

	errStalledWatchList = fmt.Errorf("%w; if the source never completes a WatchList, as most fake clients, "+
		"use informer.WithWatchList(false)", ErrStalled)

	errNilObject = errors.New("the source handed over neither an object nor an error")
)
