// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package runtimetest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func named(name, app string) *Widget {
	return &Widget{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": app}}}
}

func list(srv *runtimetest.Server[*Widget], opts metav1.ListOptions) (string, metav1.ListMeta, error) {
	text := ""
	meta, err := srv.List(context.Background(), opts, func(item source.Delta[*Widget], err error) error {
		text += item.Object.Name
		return nil
	})
	return text, meta, err
}

func TestServerPages(t *testing.T) {
	srv := runtimetest.NewServer[*Widget]()
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		srv.Set(named(name, "x"))
	}
	srv.Set(named("z", "y"))
	opts := metav1.ListOptions{Limit: 2, LabelSelector: "app=x"}
	got := ""
	for {
		page, meta, err := list(srv, opts)
		if err != nil {
			t.Fatal(err)
		}
		got += page + " "
		if opts.Continue = meta.Continue; meta.Continue == "" {
			break
		}
	}
	if got != "ab cd e " {
		t.Errorf("got %q", got)
	}
	_, meta, _ := list(srv, metav1.ListOptions{Limit: 2})
	srv.Set(named("f", "x"))
	if _, _, err := list(srv, metav1.ListOptions{Limit: 2, Continue: meta.Continue}); !apierrors.IsResourceExpired(
		err,
	) {
		t.Errorf("an old token got %v", err)
	}
	if _, _, err := list(srv, metav1.ListOptions{ResourceVersion: "99"}); !apierrors.IsTimeout(err) {
		t.Errorf("a version to come got %v", err)
	}
}

// watch returns what a watch sends within a second, as "Aa,Ua,Da,B7,".
func watch(t *testing.T, srv *runtimetest.Server[*Widget], opts metav1.ListOptions) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	text := ""
	err := srv.Watch(ctx, opts, func(d source.Delta[*Widget], version string, _ error) error {
		switch d.Type {
		case delta.Bookmark, delta.InitialEnd:
			text += fmt.Sprintf("B%s,", version)
		default:
			text += fmt.Sprintf("%c%s,", d.Type.String()[0], d.Object.Name)
		}
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return text, nil
	case err != nil:
		return text, err
	}
	return text + "end", nil
}

func TestServerWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*Widget]() // at 1
		srv.Set(named("a", "x"))
		srv.Set(named("b", "x"))
		srv.Set(named("a", "y"))
		srv.Delete("", "b")
		srv.Set(named("c", "x"))
		for _, test := range []struct {
			opts metav1.ListOptions
			want string
		}{
			{metav1.ListOptions{ResourceVersion: "1"}, "Aa,Ab,Ua,Db,Ac,"},
			{metav1.ListOptions{ResourceVersion: "1", LabelSelector: "app=x"}, "Aa,Ab,Da,Db,Ac,"},
			{metav1.ListOptions{ResourceVersion: "4"}, "Db,Ac,"},
			{metav1.ListOptions{}, "Aa,Ac,"},
			{metav1.ListOptions{ResourceVersion: "0", LabelSelector: "app=x"}, "Ac,"},
			{metav1.ListOptions{SendInitialEvents: new(true), AllowWatchBookmarks: true}, "Aa,Ac,B6,"},
		} {
			if got, err := watch(t, srv, test.opts); got != test.want || err != nil {
				t.Errorf("%+v: got %q, %v, want %q", test.opts, got, err, test.want)
			}
		}
		go func() { time.Sleep(time.Millisecond); srv.Bookmark(); synctest.Wait(); srv.CutWatches(nil) }()
		if got, err := watch(t, srv, metav1.ListOptions{ResourceVersion: "6", AllowWatchBookmarks: true}); got != "B6,end" ||
			err != nil {
			t.Errorf("got %q, %v", got, err)
		}
		srv.Compact()
		if _, err := watch(t, srv, metav1.ListOptions{ResourceVersion: "3"}); !apierrors.IsResourceExpired(
			err,
		) {
			t.Errorf("a compacted version got %v", err)
		}
		srv.NoWatchList = true
		if _, err := watch(t, srv, metav1.ListOptions{SendInitialEvents: new(true)}); !apierrors.IsInvalid(
			err,
		) {
			t.Errorf("WatchList on a server without got %v", err)
		}
	})
}

// A watch at a version that is yet to come is accepted, and silent until then.
func TestServerIsSilentAboutVersionsToCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*Widget]() // at 1
		srv.Set(named("a", "x"))
		go func() {
			srv.Set(named("b", "x")) // 3
			srv.Bookmark()
			synctest.Wait()
			srv.Skip(1)
			srv.Set(named("c", "x")) // 5
			srv.Bookmark()
		}()
		if got, err := watch(t, srv, metav1.ListOptions{ResourceVersion: "4", AllowWatchBookmarks: true}); got != "Ac,B5," ||
			err != nil {
			t.Errorf("got %q, %v", got, err)
		}
		go func() { time.Sleep(time.Millisecond); srv.Set(named("d", "x")) }()
		opts := metav1.ListOptions{
			ResourceVersion:     "6",
			SendInitialEvents:   new(true),
			AllowWatchBookmarks: true,
		}
		if got, err := watch(t, srv, opts); got != "Aa,Ab,Ac,Ad,B6," || err != nil {
			t.Errorf("WatchList: got %q, %v", got, err)
		}
	})
}

func TestServerCopies(t *testing.T) {
	srv := runtimetest.NewServer[*Widget]()
	mine := named("a", "x")
	srv.Set(mine)
	mine.Labels = nil
	for range 2 {
		_, err := srv.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*Widget], err error) error {
			if item.Object.Labels == nil {
				t.Error("the server has what a reader, or the writer, made of the object")
			}
			item.Object.Labels = nil
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Every API server knows the fields of metadata by which objects can be selected; what this one
// does not know it refuses, as they do.
func TestServerSelectsByFields(t *testing.T) {
	srv := runtimetest.NewServer[*Widget]()
	srv.Set(named("a", "x"))
	srv.Set(named("b", "x"))
	for selector, want := range map[string]string{"": "ab", "metadata.name=b": "b", "metadata.name!=b,metadata.namespace=": "a", "metadata.namespace=ns": ""} {
		if got, _, err := list(srv, metav1.ListOptions{FieldSelector: selector}); got != want || err != nil {
			t.Errorf("%q: got %q, %v", selector, got, err)
		}
	}
	opts := metav1.ListOptions{FieldSelector: "spec.nodeName=n1"}
	if _, _, err := list(srv, opts); !apierrors.IsBadRequest(err) ||
		!strings.Contains(err.Error(), "spec.nodeName") {
		t.Errorf("got %v", err)
	}
	if err := srv.Watch(t.Context(), opts, nil); !apierrors.IsBadRequest(err) {
		t.Errorf("the watch got %v", err)
	}
}

func TestServerSaysWhatHasExpired(t *testing.T) {
	srv := runtimetest.NewServer[*Widget]()
	for _, name := range []string{"a", "b", "c"} {
		srv.Set(named(name, "x"))
	}
	srv.Compact()
	err := srv.Watch(t.Context(), metav1.ListOptions{ResourceVersion: "2"}, nil)
	if !apierrors.IsResourceExpired(err) || !strings.Contains(err.Error(), "2 (4)") {
		t.Errorf("got %v", err)
	}
}
