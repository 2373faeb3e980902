// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// book is a source whose lists have endless pages.
type book struct {
	source.ListerWatcher[*object]
	page func(ctx context.Context, n int, each func(source.Delta[*object], error) error) error
	n    int
}

func (b *book) List(
	ctx context.Context, _ metav1.ListOptions, each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	if b.n++; b.n > 5000 {
		return metav1.ListMeta{}, errors.New("too many pages")
	}
	return metav1.ListMeta{ResourceVersion: "5", Continue: fmt.Sprint("token ", b.n)}, b.page(ctx, b.n, each)
}

func TestPagesWithoutNewObjectsBackOff(t *testing.T) {
	a, b := obj("a", "1"), obj("b", "1")
	for name, test := range map[string]struct {
		page        func(ctx context.Context, n int, each func(source.Delta[*object], error) error) error
		least, most int // pages in a list that lasts for ListStall
	}{
		"none": {func(context.Context, int, func(source.Delta[*object], error) error) error { return nil }, 15, 60},
		"the same": {func(_ context.Context, _ int, each func(source.Delta[*object], error) error) error {
			return errors.Join(each(source.DeltaOf(delta.Replaced, a)), each(source.DeltaOf(delta.Replaced, b)))
		}, 15, 60},
		"the same one": {func(_ context.Context, _ int, each func(source.Delta[*object], error) error) error {
			return each(source.DeltaOf(delta.Replaced, a))
		}, 15, 60},
		"now and then": {func(_ context.Context, n int, each func(source.Delta[*object], error) error) error {
			if n%3 > 0 || n > 300 {
				return nil
			}
			return each(source.DeltaOf(delta.Replaced, obj(fmt.Sprint(n), "1")))
		}, 315, 360},
		"of another shard": {func(_ context.Context, n int, each func(source.Delta[*object], error) error) error {
			if n <= 1000 {
				return each(without(delta.Dropped, "x").Delta, nil)
			}
			return nil
		}, 1015, 1060},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			src, pages := &book{page: test.page}, 0
			r := reflector.New(source.Source[*object]{ListerWatcher: src, NoWatchList: true}, &sink{}, options{OnEvent: errorsTo(func(err error) {
				if reflector.Reason(err) != "Stalled" || !strings.Contains(err.Error(), "pages without new objects") {
					t.Errorf("%s: %v", name, err)
				}
				pages = src.n
				cancel()
			})})
			began := time.Now()
			r.Run(ctx)
			if pages < test.least || pages > test.most {
				t.Errorf("%s: %d pages in %v", name, pages, time.Since(began))
			}
		})
	}
}
