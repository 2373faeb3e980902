// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"k8s.io/klog/v2"
)

// RealFIFO is a DeltaFIFO for the tests of controllers and reflectors that want client-go's RealFIFO. It hands
// out the deltas of one object at a time.
type RealFIFO struct {
	*DeltaFIFO
	logger klog.Logger // not used
	held   Store       // what was handed out, if no known objects are given; else nil
}

// RealFIFOOptions are options of a RealFIFO.
type RealFIFOOptions struct {
	KeyFunction  KeyFunc
	KnownObjects KeyListerGetter
	Transformer  TransformFunc
	AtomicEvents bool // not used
}

func NewRealFIFOWithOptions(opts RealFIFOOptions) *RealFIFO {
	f := &RealFIFO{}
	if opts.KeyFunction == nil {
		opts.KeyFunction = MetaNamespaceKeyFunc
	}
	if opts.KnownObjects == nil {
		f.held = NewStore(opts.KeyFunction)
		opts.KnownObjects = f.held
	}
	f.DeltaFIFO = NewDeltaFIFOWithOptions(DeltaFIFOOptions{
		KeyFunction: opts.KeyFunction, KnownObjects: opts.KnownObjects, Transformer: opts.Transformer,
		EmitDeltaTypeReplaced: true,
	})
	return f
}

func NewRealFIFO(key KeyFunc, known KeyListerGetter, transform TransformFunc) *RealFIFO {
	return NewRealFIFOWithOptions(RealFIFOOptions{KeyFunction: key, KnownObjects: known, Transformer: transform})
}

func (f *RealFIFO) Pop(process PopProcessFunc) (any, error) {
	return f.DeltaFIFO.Pop(func(obj any, initial bool) error {
		err := process(obj, initial)
		if f.held == nil {
			return err
		}
		newest := obj.(Deltas).Newest()
		if newest.Type != Deleted {
			_ = f.held.Add(newest.Object)
		} else if gone, ok := newest.Object.(DeletedFinalStateUnknown); ok {
			_ = f.held.Delete(gone.Obj)
		} else {
			_ = f.held.Delete(newest.Object)
		}
		return err
	})
}

// keyOf returns the key of an object, or of one whose final state is unknown.
func (f *RealFIFO) keyOf(obj any) (string, error) {
	if gone, ok := obj.(DeletedFinalStateUnknown); ok {
		return gone.Key, nil
	}
	return f.deltas.key(obj)
}

// getItems returns the pending deltas.
func (f *RealFIFO) getItems() (items []Delta) {
	f.each(func(_ string, ds Deltas) { items = append(items, ds...) })
	return items
}
