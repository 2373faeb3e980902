// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package truncate

// Error returns err if its text is short and clean. Otherwise it returns an error with the result of Text,
// which wraps err. Error returns nil for nil.
func Error(err error) error {
	if err == nil {
		return nil
	}
	long := err.Error()
	if text := Text(long, MaxText); text != long {
		return &shortError{text, err}
	}
	return err
}

// shortError is err with a shorter text.
type shortError struct {
	text string
	err  error
}

func (e *shortError) Error() string { return e.text }

func (e *shortError) Unwrap() error { return e.err }
