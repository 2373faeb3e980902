// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"runtime"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxTeam is how many goroutines decode one stream at most. One more cuts its
// text, which takes a fifth of what it takes to decode it; and each keeps up to
// 6 MiB or so: 5 of strings and values that it recognizes, and 1 to decode in.
const maxTeam = 4

// team is what the objects of one list or watch are decoded by: one decoder as
// long as that keeps pace with the stream, several while it does not.
type team[E any, T interface {
	*E
	metav1.Object
}] struct {
	first  *objectDecoder[E, T]
	others []*objectDecoder[E, T]
	size   int // that it may have; of one, there is no question
	pace   pace
	hire   func() *objectDecoder[E, T]
	// abandon has the reads of the stream end.
	abandon func()
}

// newTeam returns the team for a list or watch that decoder begins alone.
func (s *httpSource[E, T]) newTeam(body *response, decoder *decode.Decoder) team[E, T] {
	return team[E, T]{
		first: s.objects(decoder), size: min(runtime.GOMAXPROCS(0), maxTeam),
		pace:    pace{every: paceBytes, began: time.Now()},
		hire:    func() *objectDecoder[E, T] { return s.objects(decode.New(s.options)) },
		abandon: body.Close,
	}
}

// needed tells whether the stream that f reads is one for several.
func (t *team[E, T]) needed(f *framer) bool { return t.size > 1 && t.pace.behind(f) }

// all returns what the members of the team decode by, the first first.
func (t *team[E, T]) all() []*objectDecoder[E, T] {
	for len(t.others) < t.size-1 {
		t.others = append(t.others, t.hire())
	}
	return append([]*objectDecoder[E, T]{t.first}, t.others...)
}
