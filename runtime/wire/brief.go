// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/internal/askable"
)

// An object may have 32 MiB, and its name, the keys on the way to what is wrong with
// it, and what is wrong may be as long as that; who quotes them, as the errors of
// decoders do, gets errors that no log has room for. So an error about an object says
// so much of each, in bytes.
const (
	mostOfFault = 2048
	mostOfPath  = 1024
	mostOfName  = 384 // all of a valid one, with its namespace
	mostOfKey   = 128 // of a map, on a path
)

// clip returns s, or, if that is longer than most bytes, about as much of it: its
// beginning and its end.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head, tail := s[:most*3/4], s[len(s)-most/4:]
	return fmt.Sprintf("%s...(%d bytes in all)...%s", strings.ToValidUTF8(head, ""), len(s), strings.ToValidUTF8(tail, ""))
}

// brief returns err, or, if that has more to say than mostOfFault bytes, an error that
// says as much of it, and does not wrap it, for it would keep the rest in memory. What
// says that a type does not fit remains a *json.UnmarshalTypeError if possible. What
// cannot be asked what it is, for a method of it panics, is not handed on either.
func brief(err error) error {
	if err == nil {
		return nil
	}
	if !askable.Can(err) {
		return errors.New(clip(askable.Text(err), mostOfFault))
	}
	if text := fmt.Sprint(err); len(text) > mostOfFault { // and not by Error, which may be the user's, and panic
		if long := (*json.UnmarshalTypeError)(nil); errors.As(err, &long) {
			mismatch := *long
			mismatch.Value, mismatch.Struct, mismatch.Field = clip(long.Value, mostOfKey), clip(long.Struct, mostOfKey), clip(long.Field, mostOfPath)
			if len(mismatch.Error()) <= mostOfFault {
				return &mismatch
			}
		}
		return errors.New(clip(text, mostOfFault))
	}
	return err
}
