// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	st "github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// optional is a server of a type without objects that is served from the second minute on, for a minute. Discovery
// fails in the fifth minute, and hangs from the sixth one on.
type optional struct {
	began  time.Time
	probes []time.Duration // of discovery, since began
	lists  []time.Duration
}

func (o *optional) minute() int { return int(time.Since(o.began) / time.Minute) }

func (o *optional) requestError() error {
	if o.minute() == 1 {
		return nil
	}
	return apierrors.NewGenericServerResponse(404, "list", schema.GroupResource{}, "", "404 page not found", 0, true)
}

func (o *optional) List(
	context.Context, metav1.ListOptions, func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	o.lists = append(o.lists, time.Since(o.began))
	return metav1.ListMeta{ResourceVersion: "5"}, o.requestError()
}

func (o *optional) Watch(context.Context, metav1.ListOptions, st.Sender[*object]) error {
	if o.minute() == 1 {
		time.Sleep(time.Until(o.began.Add(2 * time.Minute)))
	}
	return o.requestError()
}

func (o *optional) isServed(ctx context.Context) (bool, error) {
	o.probes = append(o.probes, time.Since(o.began))
	switch o.minute() {
	case 4:
		return false, errors.New("stale")
	case 5:
		<-ctx.Done()
		return false, ctx.Err()
	}
	return o.requestError() == nil, nil
}

// A type counts as absent as soon as discovery confirms a 404, if it was not read yet, and otherwise after 10 seconds.
// The reflector then probes every 10 seconds until the type is served.
func TestTypeThatComesAndGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, s := &optional{began: time.Now()}, &sink{}
		var absent []time.Duration
		failures := 0
		ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
		defer cancel()
		reflector.New(source.Source[*object]{ListerWatcher: o, Served: o.isServed}, s, options{
			Settings: reflector.Settings{NoWatchList: true},
			OnEvent: func(e reflector.Event) {
				switch e.Type {
				case reflector.EventAbsent:
					absent = append(absent, time.Since(o.began))
				case reflector.EventFailed:
					if failures++; o.minute() != 4 || !strings.Contains(e.Err.Error(), "unknown: stale") {
						t.Errorf("failure in minute %d: %v", o.minute(), e.Err)
					}
				}
			},
		}).Run(ctx)
		if got := strings.Join(s.log, " "); got != "[]@ []@5 []@" {
			t.Errorf("the sink has %q", got)
		}
		if want := []time.Duration{0, 2*time.Minute + 10*time.Second}; !slices.Equal(absent, want) {
			t.Errorf("the type is absent after %v, want %v", absent, want)
		}
		if len(o.lists) != 2 || o.lists[1] > 70*time.Second {
			t.Errorf("lists after %v", o.lists)
		}
		if failures != 6 {
			t.Errorf("%d failures in a minute", failures)
		}
		// The first probe confirms the 404 of the list. The phase of the others is random.
		for i := 2; i < len(o.probes) && o.probes[i] < 2*time.Minute; i++ {
			if wait := o.probes[i] - o.probes[i-1]; wait > 10*time.Second || i > 2 && wait < 10*time.Second {
				t.Errorf("probes after %v", o.probes)
			}
		}
	})
}
