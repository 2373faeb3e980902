// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ktypes "k8s.io/apimachinery/pkg/types"
)

// chaos is a source that says anything, until it comes to its senses.
type chaos struct {
	sane *runtimetest.Server[*object]

	// shares says that another source has objects of the same names. Then none is from the
	// future: of two states of an object the later one is kept.
	shares bool

	mu       sync.Mutex
	rnd      *rand.Rand
	mad      bool
	requests int
}

// says returns a random number.
func (c *chaos) says(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rnd.IntN(n)
}

// isMad counts a request, and reports what it meets.
func (c *chaos) isMad() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	return c.mad
}

// recover ends the madness, and returns how many requests it has met.
func (c *chaos) recover() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mad = false
	return c.requests
}

func (c *chaos) version() string {
	if n := c.says(12); n < 3 || n == 3 && !c.shares {
		return []string{"", "0", "none", "99999999999999999999"}[n]
	}
	return fmt.Sprint(1 + c.says(50))
}

func (c *chaos) object() *object {
	switch c.says(12) {
	case 0:
		return nil
	case 1:
		return &object{}
	}
	o := widget(fmt.Sprint("w", c.says(4)), "v", fmt.Sprint(c.says(100)))
	o.ResourceVersion = c.version()
	if n := c.says(4); n > 0 {
		o.UID = ktypes.UID(fmt.Sprint("u", n))
	}
	return o
}

// delta returns a delta of one of types, or of an object that cannot be decoded.
func (c *chaos) delta(types ...delta.Type) (source.Delta[*object], error) {
	t := types[c.says(len(types))]
	switch n := c.says(10); {
	case n == 0:
		return delta.Bare[ktypes.NamespacedName, *object](delta.NoKey), errors.New("not even its name")
	case n == 1:
		key := ktypes.NamespacedName{Namespace: "ns", Name: fmt.Sprint("w", c.says(4))}
		return source.Unusable[*object](t, key), errors.New("nothing but its name")
	}
	return source.DeltaOf(t, c.object())
}

func (c *chaos) failure() error {
	gr := widgets.GroupResource()
	return []error{
		nil, nil, nil, nil, errors.New("something"), io.ErrUnexpectedEOF, source.ErrCut, context.Canceled, context.DeadlineExceeded,
		runtimetest.Expired(), runtimetest.TooLarge(), runtimetest.WatchListForbidden(), runtimetest.Forbidden("list", gr), runtimetest.TooManyRequests(0),
	}[c.says(14)]
}

func (c *chaos) List(
	ctx context.Context,
	opts metav1.ListOptions,
	each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	if !c.isMad() {
		return c.sane.List(ctx, opts, each)
	}
	if c.says(15) == 0 {
		<-ctx.Done()
		return metav1.ListMeta{}, ctx.Err()
	}
	for range c.says(6) {
		if err := each(c.delta(delta.Replaced)); err != nil {
			return metav1.ListMeta{}, err
		}
	}
	meta := metav1.ListMeta{ResourceVersion: c.version()}
	if n := c.says(6); n < 2 {
		meta.Continue = fmt.Sprint("token", n)
	}
	return meta, c.failure()
}

func (c *chaos) Watch(ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*object]) error {
	if !c.isMad() {
		return c.sane.Watch(ctx, opts, each)
	}
	for range c.says(12) {
		d, err := c.delta(delta.Added, delta.Updated, delta.Deleted, 0, delta.Sync, delta.Added, delta.Updated)
		if c.says(8) == 0 {
			mark := []delta.Type{delta.Bookmark, delta.InitialEnd}[c.says(2)]
			d, err = delta.Bare[ktypes.NamespacedName, *object](mark), nil
		}
		version := c.version()
		if d.Object != nil && c.says(3) > 0 {
			version = d.Object.ResourceVersion
		}
		if c.says(8) == 0 {
			time.Sleep(time.Duration(c.says(3000)) * time.Millisecond)
		}
		if err := each(d, version, err); err != nil {
			return err
		}
	}
	if c.says(10) == 0 {
		<-ctx.Done()
	}
	return c.failure()
}

// An informer does not spin on a source, or two parts of one, with random answers. Each call of a handler fits the
// calls before it. When the answers become valid, the informer mirrors them.
func TestSourceThatSaysAnything(t *testing.T) {
	seeds := uint64(50)
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			defer func() {
				if t.Failed() {
					t.Logf("seed %d", seed)
				}
			}()
			src := &chaos{
				sane: runtimetest.NewServer[*object](),
				rnd:  rand.New(rand.NewPCG(seed, 5)),
				mad:  true,
			}
			src.sane.Skip(100)
			src.sane.Set(widget("w1"))
			src.sane.Set(widget("x"))
			src.sane.Compact() // what was said is no version that could be watched from
			other := &chaos{sane: src.sane, rnd: rand.New(rand.NewPCG(seed, 7)), mad: true}
			var read source.ListerWatcher[*object] = src
			if seed%2 == 0 {
				src.shares, other.shares = true, true
				read, _ = ofParts(map[string]source.ListerWatcher[*object]{"one": src, "other": other})
			}
			inf := newInformer(
				read,
				informer.WithErrorHandler(func(error) {}),
				informer.WithBatchSize(1+src.says(3)),
			)
			all := newMirrors(t, src.rnd, inf)
			all.disordered = true
			for range 4 {
				all.add()
			}
			stop := start(t, inf)
			const madness = 20 * time.Minute
			time.Sleep(madness)
			for _, s := range []*chaos{src, other} {
				if n := s.recover(); n > int(madness/time.Second) {
					t.Errorf("%d requests in %v", n, madness)
				}
			}
			time.Sleep(time.Hour)
			src.sane.CutWatches(
				runtimetest.Expired(),
			) // who has listed at no version knows of no deletion before the watch
			time.Sleep(time.Hour)
			src.sane.Set(widget("last"))
			time.Sleep(time.Minute)
			if got := len(held(inf)); got != 3 {
				t.Errorf("the store has %v; %v", held(inf), inf.LastError())
			}
			for _, o := range existing(src.sane) {
				if got, ok := inf.Store().Reader().Get(keyOf(o)); !ok ||
					got.ResourceVersion != o.ResourceVersion {
					t.Errorf("the store has %v, want %v", got, o)
				}
			}
			all.agree()
			stop()
		})
		if t.Failed() {
			return
		}
	}
}
