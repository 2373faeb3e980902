// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Informer returns "widgets.example.com/v1", and the names of the informer and the source unless they
// are "".
func Informer(gvr schema.GroupVersionResource, name, source string) string {
	var b strings.Builder
	b.WriteString(gvr.GroupResource().String())
	if gvr.Version != "" {
		b.WriteString("/" + gvr.Version)
	}
	if name != "" {
		fmt.Fprintf(&b, " (%s)", name)
	}
	if source != "" {
		b.WriteString(", " + Source(source))
	}
	return b.String()
}

// Source returns "source a", also if the name is "".
func Source(name string) string {
	if name == "" {
		return "the source without a name"
	}
	return "source " + name
}

// Call returns, for example, "in a call for 1m0s, 3 pending", or "".
func Call(lasts time.Duration, pending int) string {
	var parts []string
	if lasts > 0 {
		parts = append(parts, fmt.Sprintf("in a call for %v", roundForMessage(lasts)))
	}
	if pending > 0 {
		parts = append(parts, fmt.Sprintf("%d pending", pending))
	}
	return strings.Join(parts, ", ")
}

// Blocked says that a handler blocks its informer, and how long its call lasts and how much is pending.
func Blocked(handler string, lasts time.Duration, pending int) string {
	text := "handler " + handler + " blocks the informer"
	if call := Call(lasts, pending); call != "" {
		text += ": " + call
	}
	return text
}

// roundForMessage rounds d for a message.
func roundForMessage(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Round(time.Second)
	}
	return d.Round(time.Millisecond)
}

// LastError describes err, which may be nil, its age, and what helps if that is known. source is what
// had it, "" for the only source.
func LastError(err error, source string) string {
	if err == nil {
		return "no error so far"
	}
	text := "last error"
	if source != "" {
		text += " of " + Source(source)
	}
	if read := (*reflector.Error)(nil); errors.As(err, &read) {
		text += fmt.Sprintf(", %v ago", time.Since(read.Time).Round(time.Second))
	}
	text += ": " + err.Error()
	if apierrors.IsForbidden(err) {
		text += "; grant the verbs list and watch, or read only namespaces in which they are granted"
	}
	return text
}
