// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package runtimetest_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A server tells a watch of writes that it does not select by bookmarks, each minute and
// before the watch ends, as API servers do, if the watch allows them.
func TestServerSendsBookmarksByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			opts metav1.ListOptions
			want string
		}{
			{metav1.ListOptions{}, ""},
			{metav1.ListOptions{AllowWatchBookmarks: true}, "1m0s 2m0s 3m0s 3m13s"},
			{metav1.ListOptions{AllowWatchBookmarks: true, SendInitialEvents: new(true)}, "0s 1m0s 2m0s 3m0s 3m13s"},
			{metav1.ListOptions{AllowWatchBookmarks: true, ResourceVersion: "3"}, "2m0s 3m0s 3m13s"}, // is yet to come
		} {
			srv := runtimetest.NewServer[*Widget]() // at 1
			ctx, cancel := context.WithCancel(t.Context())
			var writing sync.WaitGroup
			writing.Go(func() {
				for ctx.Err() == nil {
					time.Sleep(44 * time.Second)
					srv.Set(named("a", "x"))
				}
			})
			test.opts.LabelSelector = "app=y"
			test.opts.TimeoutSeconds = new(int64(195))
			began := time.Now()
			var got []string
			err := srv.Watch(ctx, test.opts, func(d source.Delta[*Widget], version string, err error) error {
				if err != nil || d.Object != nil || version != srv.ResourceVersion() {
					t.Errorf("%+v: got %+v, %v at %s, the server is at %s", test.opts, d, err, version, srv.ResourceVersion())
				}
				got = append(got, time.Since(began).String())
				return nil
			})
			if err != nil {
				t.Errorf("%+v: %v", test.opts, err)
			}
			cancel()
			writing.Wait()
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("%+v: bookmarks after %s, want %s", test.opts, text, test.want)
			}
		}
	})
}
