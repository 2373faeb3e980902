// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"runtime"

	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
)

// spread decodes a stretch of a stream on several goroutines: one cuts the text
// into values, some decode them, and the caller's hands on what comes of it, in
// the order of the text. R is what a value becomes.
type spread[R any] struct {
	framer *framer
	// cut takes the next value, or says by errStretchEnds that there is none of
	// the kind that the stretch is made of.
	cut func() ([]byte, error)
	// decoders decode a value that ends before the byte at end of the stream. Each
	// is used by one goroutine.
	decoders []func(raw []byte, end int64) (R, error)
	// deliver is given what was decoded before there was an error.
	deliver func(R) error
	// abandon has the framer's reads end.
	abandon func()
}

const (
	// parcelBytes is how much text a goroutine gets to decode at a time, if it is
	// there. A larger value goes alone, and is waited for.
	parcelBytes = 32 << 10
	// stretchBytes is after how much it is judged anew whether this pays.
	stretchBytes = 4 << 20
)

var errStretchEnds = errors.New("what follows is of another kind")

// parcel is some values that are decoded one after the other.
type parcel[R any] struct {
	text    []byte
	values  []extentOf
	results []R
	err     error // of the value after results; the stream is of no use then
	exited  bool  // a method of the value after results has ended its goroutine
	done    chan struct{}
}

// extentOf says where a value ends in the text of its parcel, and in the stream.
type extentOf struct {
	inText   int
	inStream int64
}

func (p *parcel[R]) decode(decoder func(raw []byte, end int64) (R, error)) {
	p.exited = true
	defer close(p.done)
	begin := 0
	for _, value := range p.values {
		result, err := decoder(p.text[begin:value.inText], value.inStream)
		if err != nil {
			p.err = err
			break
		}
		p.results = append(p.results, result)
		begin = value.inText
	}
	p.exited = false
}

// lines are what the goroutines of a spread talk by.
type lines[R any] struct {
	work, order, free chan *parcel[R]
	quit              chan struct{}
}

// run decodes a stretch. It returns nil at its end, and else why there is no more
// of it, when all goroutines that it started have ended.
func (s *spread[R]) run() error {
	inFlight := 2 * len(s.decoders)
	l := lines[R]{
		work: make(chan *parcel[R], inFlight), order: make(chan *parcel[R], inFlight), free: make(chan *parcel[R], inFlight),
		quit: make(chan struct{}),
	}
	var (
		group waitgroup.Group
		ended error
	)
	group.Go(func() {
		defer close(l.order)
		defer close(l.work)
		ended = s.cutAll(&l)
	})
	for _, decoder := range s.decoders {
		group.Go(func() {
			for p := range l.work {
				p.decode(decoder)
			}
		})
	}
	complete := false
	defer func() {
		if !complete { // or what was called has panicked, or ended a goroutine
			close(l.quit)
			s.abandon()
		}
		group.Wait()
	}()
	if err := s.deliverAll(&l); err != nil {
		return err
	}
	complete = true
	group.Wait()
	return ended
}

func (s *spread[R]) deliverAll(l *lines[R]) error {
	for p := range l.order {
		<-p.done
		for _, result := range p.results {
			if err := s.deliver(result); err != nil {
				return err
			}
		}
		if p.exited {
			// As it would have if there were no others. Whoever decodes took parcels in
			// this order, so that none before this one was left to nobody.
			runtime.Goexit()
		}
		if p.err != nil {
			return p.err
		}
		l.recycle(p)
	}
	return nil
}

// cutAll makes parcels of the text. What it has it sends before it waits for more. If it
// finds, more often than not, that everything it sent has been taken up by then, the stream
// is what is waited for: the stretch ends, for one goroutine alone does it with less.
func (s *spread[R]) cutAll(l *lines[R]) error {
	p := l.parcel()
	sent := true
	send := func() {
		if len(p.values) > 0 {
			sent = l.send(p)
			p = l.parcel()
		}
	}
	reads, idle := 0, 0 // when the last parcels were taken up already
	s.framer.beforeRead = func() {
		if reads++; len(l.work) == 0 {
			idle++
		}
		send()
	}
	defer func() { s.framer.beforeRead = nil }()
	judged := s.framer.offset()
	for end := judged + stretchBytes; sent && s.framer.offset() < end; {
		if at := s.framer.offset(); at-judged >= paceBytes {
			if 2*idle > reads {
				break
			}
			judged, reads, idle = at, 0, 0
		}
		raw, err := s.cut()
		if err != nil {
			send()
			return err
		}
		if len(p.text)+len(raw) > parcelBytes {
			send()
		}
		p.text = append(p.text, raw...)
		p.values = append(p.values, extentOf{len(p.text), s.framer.offset()})
	}
	send()
	return nil
}

// send has p decoded and handed on. It returns false if nobody wants that any more.
func (l *lines[R]) send(p *parcel[R]) bool {
	large, done := len(p.text) > parcelBytes, p.done // p is another's once it is sent
	for _, line := range []chan *parcel[R]{l.work, l.order} {
		select {
		case line <- p:
		case <-l.quit:
			return false
		}
	}
	if large {
		select {
		case <-done:
		case <-l.quit:
			return false
		}
	}
	return true
}

// parcel returns an empty parcel.
func (l *lines[R]) parcel() *parcel[R] {
	p := &parcel[R]{}
	select {
	case p = <-l.free:
	default:
	}
	p.done = make(chan struct{})
	return p
}

// recycle keeps the memory of p for another parcel, if that is not too much.
func (l *lines[R]) recycle(p *parcel[R]) {
	if cap(p.text) > 2*parcelBytes {
		return
	}
	clear(p.results)
	p.text, p.values, p.results = p.text[:0], p.values[:0], p.results[:0]
	select {
	case l.free <- p:
	default:
	}
}
