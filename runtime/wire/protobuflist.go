// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// decodeProtobuf reads a list as it arrives.
func (l *listDecoder[T]) decodeProtobuf() (metav1.ListMeta, error) {
	if begin, err := l.chunk(len(magic)); err != nil || string(begin) != magic {
		return l.meta, errors.Join(l.messageError("the response begins with %q", begin), err)
	}
	for {
		more, err := l.more()
		if err != nil {
			return l.meta, err
		}
		if !more {
			break
		}
		number, size, err := l.field()
		if err != nil {
			return l.meta, err
		}
		if number == 2 {
			err = l.body(size)
		} else {
			err = l.envelope(number, size)
		}
		if err != nil {
			return l.meta, err
		}
	}
	if !l.items {
		return l.meta, io.ErrUnexpectedEOF
	}
	return l.meta, nil
}

// envelope reads a field of the runtime.Unknown around the list: its kind and apiVersion.
func (l *listDecoder[T]) envelope(number, size int) error {
	data, err := l.chunk(size)
	if err != nil || number != 1 {
		return err
	}
	var kind runtime.TypeMeta
	if err := kind.Unmarshal(data); err != nil {
		return l.messageError("the kind of the list: %v", err)
	}
	l.listKind = kind.Kind
	return nil
}

// body reads a list of size bytes.
func (l *listDecoder[T]) body(size int) error {
	switch {
	case l.listKind == "Table":
		return errTable
	case l.listKind == "Status":
		return errStatus
	case !strings.HasSuffix(l.listKind, "List"):
		return fmt.Errorf("the response is a %q and not a list", truncate.Text(l.listKind, maxKey))
	}
	if l.items {
		return l.messageError("a second list")
	}
	if err := l.objects.checkKind(strings.TrimSuffix(l.listKind, "List")); err != nil {
		return err
	}
	l.items = true
	end := l.offset() + int64(size)
	for l.offset() < end {
		number, size, err := l.field()
		if err != nil {
			return err
		}
		if number != 2 {
			data, err := l.chunk(size)
			if err == nil && number == 1 {
				err = l.meta.Unmarshal(data)
			}
			if err != nil {
				return err
			}
			continue
		}
		if err := l.messageItem(size); err != nil {
			return err
		}
	}
	if l.offset() > end {
		return l.messageError("the list is longer than its length says")
	}
	return nil
}

// messageItem reads an object of size bytes.
func (l *listDecoder[T]) messageItem(size int) error {
	if int64(size) > l.limit {
		begin, _ := l.need(maxIdentity)
		return l.objects.named(l.tooLarge(), begin)
	}
	data, err := l.need(size)
	if err != nil {
		return err
	}
	d, err := l.objects.decodeMessage(data, delta.Replaced)
	l.take(size)
	if err := l.each(d, err); err != nil {
		return stoppedError{err}
	}
	l.count++
	return nil
}

// maxIdentity is the part of a large object that is searched for its name.
const maxIdentity = 4 << 10
