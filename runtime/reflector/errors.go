// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"fmt"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// maxKey bounds the key in an error's text, in bytes. Valid keys are shorter.
const maxKey = 384

// Op is an operation of a reflector.
type Op string

// The operations of a reflector.
const (
	OpList      Op = "list"
	OpWatchList Op = "watch list" // a watch that starts with the existing objects
	OpWatch     Op = "watch"
	OpResume    Op = "resume"    // comparing versions before a watch continues
	OpDiscovery Op = "discovery" // asking whether the server serves the type
	OpDecode    Op = "decode"    // an object that cannot be used
)

// Error is a failure of a reflector. The reflector tries again after each, except after a decode
// error, which does not interrupt it.
type Error struct {
	Op   Op
	Time time.Time
	// Reason is the API server's, "" if the error does not come from there.
	Reason metav1.StatusReason
	// Key is the key of the object that cannot be decoded, if known.
	Key *types.NamespacedName
	// Wait is the wait before the next attempt. The text includes it if the server requested it.
	Wait time.Duration
	Err  error
}

// Error returns the operation, the object's key if there is one, and the cause.
func (e *Error) Error() string {
	text := e.Err.Error()
	if e.Key != nil && !strings.Contains(text, e.Key.String()) {
		return fmt.Sprintf("%s %s: %s", e.Op, truncate.Text(e.Key.String(), maxKey), text)
	}
	if e.Wait > 0 && retryAfter(e.Err) > 0 {
		return fmt.Sprintf("%s: %s (next attempt in %v)", e.Op, text, e.Wait.Round(time.Second))
	}
	return fmt.Sprintf("%s: %s", e.Op, text)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// newError returns an Error with err truncated for logs.
func newError(op Op, err error) *Error {
	err = truncate.Error(err)
	return &Error{Op: op, Time: time.Now(), Reason: apierrors.ReasonForError(err), Err: err}
}

// Failures that the source does not report as an error. All of them are retried.
var (
	// ErrNoBookmark: a WatchList ended before the bookmark that follows its initial events.
	ErrNoBookmark error = &errorWithReason{"NoBookmark", "the initial events ended without their final bookmark"}
	// ErrEndlessList: a list has more objects than Options allow, two of its pages have the same continue token,
	// or a server pages a list without a limit and lets its continue tokens expire.
	ErrEndlessList error = &errorWithReason{"EndlessList", "the list does not end"}

	errShortWatch  = &errorWithReason{"ShortWatch", "the watch ended right after its start"}
	errOverdue     = &errorWithReason{"Overdue", "the watch outlasted the requested timeout"}
	errStalled     = &errorWithReason{"Stalled", "the request made no progress for too long"}
	errIncomplete  = &errorWithReason{"Incomplete", "objects without a readable name; nothing was replaced"}
	errBackward    = &errorWithReason{"Backward", "the server has gone back to an older resourceVersion"}
	errUnversioned = &errorWithReason{"Unversioned", "the watch cannot continue without resourceVersions"}

	errStalledWatchList = fmt.Errorf("%w; if the source never completes a WatchList, like most fake clients, "+
		"set NoWatchList of reflector.Settings, or use clientgo.ListWatch for a ListerWatcher", errStalled)
)

// errorWithReason is an error of this package. reason is the result of Reason.
type errorWithReason struct{ reason, message string }

func (f *errorWithReason) Error() string { return f.message }
