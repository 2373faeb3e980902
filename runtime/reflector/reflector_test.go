// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	st "github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	rtt "github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type object = metav1.PartialObjectMetadata

func obj(name, resourceVersion string) *object {
	return &object{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, ResourceVersion: resourceVersion}}
}

// sink writes down what it is given: "[a b !c]@5" is a list of a and b, in which c
// could not be decoded; "[…]<5" one that goes back.
type sink struct {
	log  []string
	fail []error
}

func (s *sink) failure() (err error) {
	if len(s.fail) > 0 {
		err, s.fail = s.fail[0], s.fail[1:]
	}
	return err
}

func (s *sink) Push(_ context.Context, d delta.Delta[types.NamespacedName, *object], rv string) error {
	s.log = append(s.log, fmt.Sprintf("%s %s@%s", d.Type, d.Key.Name, rv))
	if d.NoObject != (d.Object == nil) {
		s.log = append(s.log, "NoObject is wrong")
	}
	return s.failure()
}

func (s *sink) Replace(_ context.Context, r delta.Batch[types.NamespacedName, *object]) error {
	var names []string
	for _, d := range r.Deltas {
		mark := map[delta.Type]string{delta.Replaced: "", delta.Stale: "!", delta.Kept: "="}
		names = append(names, mark[d.Type]+d.Key.Name)
		if d.NoObject != (d.Object == nil) || d.NoObject == (d.Type == delta.Replaced) {
			s.log = append(s.log, fmt.Sprintf("%s %s is wrong", d.Type, d.Key.Name))
		}
	}
	at := "@"
	if r.Rewound {
		at = "<"
	}
	s.log = append(s.log, "["+strings.Join(names, " ")+"]"+at+r.ResourceVersion)
	return s.failure()
}

func (s *sink) Bookmark(rv string) error {
	s.log = append(s.log, "@"+rv)
	return s.failure()
}

// ask writes a request as "list 0/500", with resourceVersion and limit, or "watch 5",
// or "stream 5" for a WatchList; "resume" asks whether the source has 5.
func ask(r rtt.Request) string {
	o := r.Options
	verb := "list"
	if r.Watch {
		verb = "watch"
		if o.SendInitialEvents != nil {
			verb = "stream"
		}
	}
	text := verb + " " + o.ResourceVersion
	if o.Limit > 0 {
		text += fmt.Sprintf("/%d", o.Limit)
	}
	if o.Continue != "" {
		text += " continue " + o.Continue
	}
	if o.Limit == 1 && o.ResourceVersion == "" && !r.Watch {
		return "resume"
	}
	if o.ResourceVersionMatch != "" && !r.Watch {
		text += " " + string(o.ResourceVersionMatch)
	}
	return text
}

type (
	lists   = []st.ListReply[*object]
	watches = []st.WatchReply[*object]
	options = reflector.Options[*object]
)

var (
	garbage = errors.New("invalid character 'x' in a watch event")
	hang    = st.Hang[*object]()
	minute  = st.Sleep[*object](time.Minute)
	over    = st.Stream[*object]()
	cut     = st.WatchError[*object](fmt.Errorf("%w: %w", source.ErrCut, io.ErrUnexpectedEOF))
)

// storeReadError is sent on a watch if an object in etcd can no longer be decoded.
var storeReadError = &apierrors.StatusError{ErrStatus: metav1.Status{
	Status: metav1.StatusFailure, Code: 500, Reason: metav1.StatusReasonStoreReadError, Message: "data for the key is invalid",
}}

// status is an answer that says nothing but its code.
func status(code int) error {
	reasons := map[int]metav1.StatusReason{404: metav1.StatusReasonNotFound, 422: metav1.StatusReasonInvalid}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(code), Reason: reasons[code], Message: fmt.Sprint("the answer is ", code),
	}}
}

// trickle is a watch that takes one step every five seconds, for five minutes.
func trickle(step st.Step[*object]) st.WatchReply[*object] {
	return st.Stream(slices.Repeat([]st.Step[*object]{step, st.Sleep[*object](5 * time.Second)}, 60)...)
}

func TestAnswers(t *testing.T) {
	secrets := metav1.SchemeGroupVersion.WithResource("secrets").GroupResource()
	a1, b2 := obj("a", "1"), obj("b", "2")
	for name, test := range map[string]struct {
		lists    lists
		watches  watches
		resumes  lists // yes, if there is none
		opts     options
		stream   bool // the source supports WatchList
		last     time.Duration
		requests []string
		sink     []string
		errors   []string // parts of each
		fail     []error  // of the sink
	}{
		"list, then watch": {
			lists:    lists{st.Objects("5", a1, b2)},
			watches:  watches{st.Stream(st.Added(obj("c", "6")), st.Modified(obj("a", "7")), st.Bookmark[*object]("9"), st.Deleted(obj("b", "10")), hang)},
			requests: []string{"list 0/500", "watch 5"},
			sink:     []string{"[a b]@5", "Added c@6", "Updated a@7", "@9", "Deleted b@10"},
		},
		"pages": {
			lists:    lists{st.Page("5", "t1", st.Items(a1)...), st.Page("5", "", st.Items(b2)...)},
			requests: []string{"list 0/500", "list /500 continue t1", "watch 5"},
			sink:     []string{"[a b]@5"},
		},
		"pages of a size, not older than": {
			opts:     options{Settings: reflector.Settings{PageSize: 7}, ResourceVersion: "4"},
			lists:    lists{st.Page("5", "t1", st.Items(a1)...), st.Objects("5", b2)},
			requests: []string{"list 4/7 NotOlderThan", "list /7 continue t1", "watch 5"},
			sink:     []string{"[a b]@5"},
		},
		"pages at a version, because the cache has pages": {
			lists:    lists{st.Page("5", "t1", st.Items(a1)...), st.Objects("5", b2), st.Objects("8", b2)},
			watches:  watches{st.WatchError[*object](rtt.Expired())},
			requests: []string{"list 0/500", "list /500 continue t1", "watch 5", "list 5/500 NotOlderThan", "watch 8"},
			sink:     []string{"[a b]@5", "[b]@8"},
			errors:   []string{"watch: too old"},
		},
		"no relist: from a version until it expires": {
			opts:     options{NoRelist: true, ResourceVersion: "4"},
			watches:  watches{st.Stream(st.Added(obj("b", "6")), st.Break[*object](rtt.Expired()))},
			requests: []string{"resume", "watch 4"},
			sink:     []string{"Added b@6"},
			errors:   []string{"watch: too old"},
		},
		"no pages, and consistent": {
			opts:     options{Settings: reflector.Settings{PageSize: -1, Consistent: true}},
			lists:    lists{st.Objects("5", a1)},
			requests: []string{"list ", "watch 5"},
			sink:     []string{"[a]@5"},
		},
		"a continue token expires": {
			lists:    lists{st.Page("5", "t1", st.Items(a1)...), st.ListError[*object](rtt.Expired()), st.Objects("8", b2)},
			requests: []string{"list 0/500", "list /500 continue t1", "list 0", "watch 8"},
			sink:     []string{"[b]@8"},
			errors:   []string{"after 1 objects, starting over without pages: too old resource version"},
		},
		"a continue token leads nowhere": {
			lists:    lists{st.Page("5", "t1", st.Items(a1)...), st.Page("5", "t1", st.Items(a1)...), st.Objects("5", a1)},
			requests: []string{"list 0/500", "list /500 continue t1", "list 0/500", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"leads back to an earlier page"},
		},
		"watch: ends after a while": {
			lists:    lists{st.Objects("5", a1)},
			watches:  watches{st.Stream(st.Bookmark[*object]("6"), minute), st.Stream(minute)},
			last:     121 * time.Second,
			requests: []string{"list 0/500", "watch 5", "resume", "watch 6", "resume", "watch 6"},
			sink:     []string{"[a]@5", "@6"},
		},
		"watch: ends when it was asked to": {
			lists:    lists{st.Objects("5", a1)},
			opts:     options{Settings: reflector.Settings{WatchTimeout: 10 * time.Second}}, // to 20, and 30 more to be overdue
			watches:  watches{st.Stream(st.Bookmark[*object]("6"), st.Sleep[*object](25*time.Second))},
			last:     30 * time.Second,
			requests: []string{"list 0/500", "watch 5", "watch 6"},
			sink:     []string{"[a]@5", "@6"},
		},
		"watch: not a word, for as long as it was asked to last": {
			lists:    lists{st.Objects("5", a1)},
			opts:     options{Settings: reflector.Settings{WatchTimeout: 10 * time.Second}},
			watches:  watches{st.Stream(st.Sleep[*object](25 * time.Second))},
			last:     30 * time.Second,
			requests: []string{"list 0/500", "watch 5", "resume", "watch 5"},
			sink:     []string{"[a]@5"},
		},
		"watch: ends at once, for ever": {
			lists: lists{st.Objects("5", a1), st.Objects("5", a1)},
			opts:  options{Settings: reflector.Settings{Backoff: reflector.Backoff{Initial: time.Millisecond, Max: time.Millisecond}}},
			watches: watches{
				over, over, over, over, over, over, over, over, over, st.Stream(st.Modified(obj("a", "6"))),
				over, over, over, over, over, over, over, over, over, over,
			},
			requests: slices.Concat(
				[]string{"list 0/500", "watch 5"}, slices.Repeat([]string{"resume", "watch 5"}, 9),
				slices.Repeat([]string{"resume", "watch 6"}, 10), []string{"list 6", "watch 5"},
			),
			sink:   []string{"[a]@5", "Updated a@6", "[a]<5"},
			errors: slices.Repeat([]string{"right after"}, 20),
		},
		"watch: cut, cut, cut: nothing is listed": {
			lists:    lists{st.Objects("5", a1)},
			watches:  watches{cut, cut, cut, cut, st.Stream(st.Added(obj("b", "6")), hang)},
			requests: slices.Concat([]string{"list 0/500", "watch 5"}, slices.Repeat([]string{"resume", "watch 5"}, 4)),
			sink:     []string{"[a]@5", "Added b@6"},
			errors:   []string{"the connection was cut", "unexpected EOF", "", ""},
		},
		"watch: cut, and the source has gone back": { // an etcd restored from a backup
			lists:    lists{st.Objects("50", a1), st.Objects("8", b2)},
			watches:  watches{cut},
			resumes:  lists{st.Objects("7", b2)},
			requests: []string{"list 0/500", "watch 50", "resume", "list /500", "watch 8"},
			sink:     []string{"[a]@50", "[b]<8"},
			errors:   []string{"the connection was cut", "resume: the server has gone back"},
		},
		"watch: cut, then no server, then no answer": {
			lists:    lists{st.Objects("5", a1)},
			watches:  watches{cut},
			resumes:  lists{st.ListError[*object](context.DeadlineExceeded), st.ListHang[*object]()},
			last:     2 * time.Minute,
			requests: []string{"list 0/500", "watch 5", "resume", "resume", "resume", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"the connection was cut", "resume: context deadline", "resume: the request made no progress"},
		},
		"watch: cut, and the question whether to resume hangs": {
			lists:    lists{st.Objects("5", a1), st.Objects("6", a1)},
			watches:  watches{cut},
			resumes:  lists{st.ListHang[*object](), st.ListHang[*object](), st.ListHang[*object](), st.ListHang[*object]()},
			last:     5 * time.Minute,
			requests: []string{"list 0/500", "watch 5", "resume", "resume", "resume", "list 5", "watch 6"},
			sink:     []string{"[a]@5", "[a]@6"},
			errors: []string{"the connection was cut", "resume: the request made no progress", "resume: the request made no progress",
				"resume: the request made no progress"},
		},
		"watch: cut, and lists are forbidden": {
			lists:    lists{st.Objects("5", a1)},
			watches:  watches{cut},
			resumes:  lists{st.ListError[*object](rtt.Forbidden("list", secrets))},
			requests: []string{"list 0/500", "watch 5", "resume", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"the connection was cut", "resume: secrets.meta.k8s.io is forbidden"},
		},
		"watch: an event goes back": {
			lists:    lists{st.Objects("100", a1), st.Objects("60", b2)},
			watches:  watches{st.Stream(st.Modified(obj("a", "50")), hang)},
			requests: []string{"list 0/500", "watch 100", "list /500", "watch 60"},
			sink:     []string{"[a]@100", "[b]<60"},
			errors:   []string{"watch: the server has gone back"},
		},
		"watch: a delta of another place": {
			lists:    lists{st.Objects("5", a1)},
			watches:  watches{st.Stream(st.Send(st.Items(b2)[0], "6"), hang)},
			requests: []string{"list 0/500", "watch 5", "resume", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"a delta of type Replaced"},
		},
		"continue tokens repeat": {
			lists:    lists{st.Page("5", "t1", st.Items(a1)...), st.Page("5", "t2", st.Items(b2)...), st.Page("5", "t1", st.Items(a1)...), st.Objects("5", a1)},
			requests: []string{"list 0/500", "list /500 continue t1", "list /500 continue t2", "list 0/500", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"leads back to an earlier page"},
		},
		"more objects than allowed": {
			opts:     options{Settings: reflector.Settings{MaxObjects: 2}},
			lists:    lists{st.Page("5", "t1", st.Items(a1, b2)...), st.Page("5", "t2", st.Items(obj("c", "3"), obj("d", "4"))...), st.Objects("5", a1, b2)},
			requests: []string{"list 0/500", "list /500 continue t1", "list 0/500", "watch 5"},
			sink:     []string{"[a b]@5"},
			errors:   []string{"list: the list does not end: more than MaxObjects (2) objects"},
		},
		"more objects without names than allowed": {
			opts:     options{Settings: reflector.Settings{MaxObjects: 1}},
			lists:    lists{st.Objects("5", obj("", "1"), obj("", "2")), st.Objects("5", a1)},
			requests: []string{"list 0/500", "list 0/500", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"without metadata.name", "without metadata.name", "list: the list does not end"},
		},
		"WatchList: more objects than allowed": {
			stream:   true,
			opts:     options{Settings: reflector.Settings{MaxObjects: 1}},
			watches:  watches{st.Stream(st.Added(a1), st.Modified(obj("a", "3")), st.Added(b2), hang), st.Stream(st.Added(a1), st.InitialEventsEnd[*object]("5"), st.Added(obj("c", "6")), hang)},
			requests: []string{"stream ", "stream "},
			sink:     []string{"[a]@5", "Added c@6"},
			errors:   []string{"watch list: the list does not end: more than MaxObjects (1) objects"},
		},
		"watch: an object that the server could not read": {
			lists:    lists{st.Objects("5", a1), st.Objects("8", b2)},
			watches:  watches{st.Stream(st.Bookmark[*object]("6"), st.Break[*object](storeReadError))},
			requests: []string{"list 0/500", "watch 5", "list 6", "watch 8"},
			sink:     []string{"[a]@5", "@6", "[b]@8"},
			errors:   []string{"watch: data for the key"},
		},
		"list: an object that the server could not read": {
			lists:    lists{st.ListError[*object](storeReadError), st.Objects("8", b2)},
			requests: []string{"list 0/500", "list 0/500", "watch 8"},
			sink:     []string{"[b]@8"},
			errors:   []string{"list: data for the key"},
		},
		"watch: a deletion carries the version before it": { // client-go's fake clientset
			lists:    lists{st.Objects("50", a1, b2)},
			watches:  watches{st.Stream(st.Deleted(obj("a", "1")), st.Added(obj("c", "51")), hang)},
			requests: []string{"list 0/500", "watch 50"},
			sink:     []string{"[a b]@50", "Deleted a@", "Added c@51"},
		},
		"watch: 410": {
			lists:    lists{st.Objects("5", a1), st.Objects("8", b2)},
			watches:  watches{st.Stream(st.Bookmark[*object]("6"), st.Break[*object](rtt.Expired()))},
			requests: []string{"list 0/500", "watch 5", "list 6", "watch 8"},
			sink:     []string{"[a]@5", "@6", "[b]@8"},
			errors:   []string{"watch: too old resource version"},
		},
		"watch: 410, then the list too": {
			lists:    lists{st.Objects("5", a1), st.ListError[*object](rtt.Expired()), st.Objects("8", b2)},
			watches:  watches{st.WatchError[*object](rtt.Expired())},
			requests: []string{"list 0/500", "watch 5", "list 5", "list /500", "watch 8"},
			sink:     []string{"[a]@5", "[b]@8"},
			errors:   []string{"watch: too old", "list: too old"},
		},
		"watch: too large, and the source has gone back": {
			lists:    lists{st.Objects("50", a1), st.Objects("8", b2)},
			watches:  watches{st.WatchError[*object](rtt.TooLarge())},
			requests: []string{"list 0/500", "watch 50", "list /500", "watch 8"},
			sink:     []string{"[a]@50", "[b]<8"},
			errors:   []string{"Too large"},
		},
		"list: too large": {
			opts:     options{ResourceVersion: "50"},
			lists:    lists{st.ListError[*object](rtt.TooLarge()), st.Objects("8", b2)},
			requests: []string{"list 50", "list /500", "watch 8"},
			sink:     []string{"[b]<8"},
			errors:   []string{"Too large"},
		},
		"watch: a bookmark goes back": {
			lists:    lists{st.Objects("50", a1), st.Objects("8", b2)},
			watches:  watches{st.Stream(st.Bookmark[*object]("7"), hang)},
			requests: []string{"list 0/500", "watch 50", "list /500", "watch 8"},
			sink:     []string{"[a]@50", "[b]<8"},
			errors:   []string{"gone back"},
		},
		"list: forbidden, then not": {
			lists:    lists{st.ListError[*object](rtt.Forbidden("list", secrets)), st.ListError[*object](rtt.Forbidden("list", secrets)), st.Objects("5", a1)},
			requests: []string{"list 0/500", "list 0/500", "list 0/500", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"list: secrets.meta.k8s.io is forbidden", "cannot list"},
		},
		"watch: forbidden, list is not": {
			lists: lists{st.Objects("5", a1), st.Objects("8", b2)},
			watches: watches{
				st.WatchError[*object](rtt.Forbidden("watch", secrets)), st.WatchError[*object](rtt.Forbidden("watch", secrets)),
				st.WatchError[*object](rtt.Forbidden("watch", secrets)), st.Stream(hang),
			},
			requests: []string{"list 0/500", "watch 5", "watch 5", "watch 5", "list 5", "watch 8"},
			sink:     []string{"[a]@5", "[b]@8"},
			errors:   []string{"forbidden", "forbidden", "forbidden"},
		},
		"watch: forbidden, throttled, and no server: nothing is read again": {
			lists: lists{st.Objects("5", a1)},
			watches: watches{
				st.WatchError[*object](rtt.Forbidden("watch", secrets)), st.WatchError[*object](rtt.TooManyRequests(1)),
				st.WatchError[*object](context.DeadlineExceeded), st.WatchError[*object](rtt.TooManyRequests(1)), st.Stream(st.Added(obj("b", "6")), hang),
			},
			requests: []string{"list 0/500", "watch 5", "watch 5", "watch 5", "resume", "watch 5", "watch 5"},
			sink:     []string{"[a]@5", "Added b@6"},
			errors:   []string{"forbidden", "too many", "deadline", "too many"},
		},
		"watch: garbage": {
			lists:    lists{st.Objects("5", a1), st.Objects("8", b2)},
			watches:  watches{st.WatchError[*object](garbage), st.WatchError[*object](garbage), st.WatchError[*object](garbage)},
			requests: []string{"list 0/500", "watch 5", "resume", "watch 5", "resume", "watch 5", "list 5", "watch 8"},
			sink:     []string{"[a]@5", "[b]@8"},
			errors:   []string{"invalid character", "invalid character", "invalid character"},
		},
		"watch: outlives its time": {
			lists:    lists{st.Objects("5", a1)},
			opts:     options{Settings: reflector.Settings{WatchTimeout: time.Minute}},
			watches:  watches{st.Stream(hang)},
			last:     165 * time.Second, // the first ends after 90 to 150 s
			requests: []string{"list 0/500", "watch 5", "resume", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"outlasted the requested"},
		},
		"list: no answer": {
			lists:    lists{st.ListHang[*object](), st.Objects("5", a1)},
			last:     6 * time.Minute,
			requests: []string{"list 0/500", "list 0/500", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"list: the request made no progress"},
		},
		"objects without resourceVersions": { // as fake clientsets have them
			lists:    lists{st.Objects("", obj("a", "")), st.Objects("", obj("b", ""))},
			watches:  watches{st.Stream(st.Added(obj("b", "")), minute)},
			last:     2 * time.Minute,
			requests: []string{"list 0/500", "watch ", "list 0/500", "watch "},
			sink:     []string{"[a]@", "Added b@", "[b]@"},
		},
		"list: undecodable, key known": {
			lists:    lists{st.Page("5", "", st.Items(a1)[0], st.Undecodable[*object]("ns", "bad", garbage))},
			requests: []string{"list 0/500", "watch 5"},
			sink:     []string{"[a !bad]@5"},
			errors:   []string{"decode ns/bad: invalid character"},
		},
		"list: undecodable, key unknown": {
			lists:    lists{st.Page("5", "", st.Items(a1)[0], st.Undecodable[*object]("", "", garbage)), st.Objects("6", a1)},
			requests: []string{"list 0/500", "list 0/500", "watch 6"},
			sink:     []string{"[a]@6"},
			errors:   []string{"decode: invalid character", "list: objects without a readable name"},
		},
		"watch: undecodable": {
			lists: lists{st.Objects("5", a1)},
			watches: watches{st.Stream(
				undecodable(delta.Stale, "a", "6"), undecodable(delta.Deleted, "a", "7"), undecodable(delta.Stale, "", "8"), hang,
			)},
			requests: []string{"list 0/500", "watch 5"},
			sink:     []string{"[a]@5", "Stale a@6", "Deleted a@7", "@8"},
			errors:   []string{"decode ns/a", "decode ns/a", "decode: "},
		},
		"nil and nameless objects are not decodable": {
			lists:    lists{st.Objects("5", nil, a1), st.Objects("5", obj("", "4")), st.Objects("5", a1)},
			requests: []string{"list 0/500", "list 0/500", "list 0/500", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"neither an object nor an error", "without a readable name", `without metadata.name in namespace "ns"`, "without a readable name"},
		},
		"nameless objects of a fake client": {
			lists:    lists{st.Objects("5", obj("", ""), a1)},
			watches:  watches{st.Stream(st.Modified(obj("", "")), st.Deleted(obj("", "")), hang)},
			requests: []string{"list 0/500", "watch 5"},
			sink:     []string{"[ a]@5", "Updated @", "Deleted @"},
		},
		"nameless objects of a server": {
			stream:   true,
			watches:  watches{st.Stream(st.Added(obj("", "")), st.InitialEventsEnd[*object]("5")), st.Stream(st.InitialEventsEnd[*object]("6"), hang)},
			requests: []string{"stream ", "stream "},
			sink:     []string{"[]@6"},
			errors:   []string{"without metadata.name", "without a readable name"},
		},
		"the sink fails": {
			lists:    lists{st.Objects("5", a1), st.Objects("5", a1)},
			fail:     []error{errors.New("sink full")},
			requests: []string{"list 0/500", "list 0/500", "watch 5"},
			sink:     []string{"[a]@5", "[a]@5"},
			errors:   []string{"list: sink full"},
		},
		"WatchList": {
			stream:   true,
			watches:  watches{st.Stream(st.Added(a1), st.Added(b2), st.Modified(obj("a", "3")), st.Deleted(obj("b", "4")), st.InitialEventsEnd[*object]("5"), st.Added(obj("c", "6")), minute)},
			last:     90 * time.Second,
			requests: []string{"stream ", "resume", "watch 6"},
			sink:     []string{"[a]@5", "Added c@6"},
		},
		"WatchList: 410 later": {
			stream:   true,
			watches:  watches{st.Stream(st.InitialEventsEnd[*object]("5"), st.Break[*object](rtt.Expired())), st.Stream(st.InitialEventsEnd[*object]("7"), hang)},
			requests: []string{"stream ", "stream 5"},
			sink:     []string{"[]@5", "[]@7"},
			errors:   []string{"watch: too old"},
		},
		"WatchList: not known to the server": {
			stream:   true,
			lists:    lists{st.Objects("5", a1), st.Objects("8", a1)},
			watches:  watches{st.WatchError[*object](rtt.WatchListForbidden()), st.WatchError[*object](rtt.Expired())},
			requests: []string{"stream ", "list 0/500", "watch 5", "list 5", "watch 8"},
			sink:     []string{"[a]@5", "[a]@8"},
			errors:   []string{"watch list: ListOptions", "watch: too old"},
		},
		"WatchList: forbidden, list is not": {
			stream:   true,
			lists:    lists{st.Objects("5", a1)},
			watches:  watches{st.WatchError[*object](rtt.Forbidden("watch", secrets)), st.WatchError[*object](rtt.Expired()), st.Stream(st.InitialEventsEnd[*object]("7"), hang)},
			requests: []string{"stream ", "list 0/500", "watch 5", "stream 5"},
			sink:     []string{"[a]@5", "[]@7"},
			errors:   []string{"watch list: secrets", "watch: too old"},
		},
		"WatchList: events, no bookmark, never ends": { // client-go's fake clientset
			stream:   true,
			lists:    lists{st.Objects("5", a1), st.Objects("8", a1)},
			watches:  watches{st.Stream(st.Added(a1), hang), st.Stream(st.Added(a1), hang), st.Stream(st.Added(a1), hang), st.WatchError[*object](rtt.Expired())},
			last:     2 * time.Minute,
			requests: []string{"stream ", "stream ", "stream ", "list 0/500", "watch 5", "list 5", "watch 8"},
			sink:     []string{"[a]@5", "[a]@8"},
			errors:   []string{"made no progress", "made no progress", "made no progress", "too old"},
		},
		"WatchList: ends without its bookmark": { // client-go 0.37.2 never leaves this
			stream:   true,
			lists:    lists{st.Objects("5", a1), st.Objects("8", a1)},
			watches:  watches{st.Stream(st.Added(a1)), st.Stream(st.Added(a1)), st.Stream(st.Added(a1)), st.WatchError[*object](rtt.Expired())},
			requests: []string{"stream ", "stream ", "stream ", "list 0/500", "watch 5", "list 5", "watch 8"},
			sink:     []string{"[a]@5", "[a]@8"},
			errors:   []string{"without their final bookmark", "without their final bookmark", "without their final bookmark", "too old"},
		},
		"WatchList: no server for a while is nothing to remember": {
			stream: true,
			lists:  lists{st.ListError[*object](context.DeadlineExceeded), st.Objects("5", a1)},
			watches: watches{
				st.WatchError[*object](context.DeadlineExceeded), st.WatchError[*object](context.DeadlineExceeded), st.WatchError[*object](context.DeadlineExceeded),
				st.WatchError[*object](rtt.Expired()), st.Stream(st.InitialEventsEnd[*object]("7"), hang),
			},
			requests: []string{"stream ", "stream ", "stream ", "list 0/500", "list 0/500", "watch 5", "stream 5"},
			sink:     []string{"[a]@5", "[]@7"},
			errors:   []string{"deadline", "deadline", "deadline", "list: ", "too old"},
		},
		"list: a version that makes no sense to it": {
			opts:     options{ResourceVersion: "x7"},
			lists:    lists{st.ListError[*object](apierrors.NewBadRequest("no such version")), st.Objects("5", a1)},
			requests: []string{"list x7", "list /500", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"list: no such version"},
		},
		"list: anything else": {
			lists:    lists{st.ListError[*object](apierrors.NewInternalError(garbage)), st.ListError[*object](apierrors.NewUnauthorized("who?")), st.ListError[*object](rtt.TooManyRequests(1)), st.ListError[*object](garbage), st.Objects("5", a1)},
			requests: []string{"list 0/500", "list 0/500", "list 0/500", "list 0/500", "list 0/500", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"Internal error", "who?", "too many", "invalid character"},
		},
		"watch: 401, 502, 503, 504": {
			lists: lists{st.Objects("5", a1)},
			watches: watches{
				st.WatchError[*object](apierrors.NewUnauthorized("who?")), st.WatchError[*object](status(502)),
				st.WatchError[*object](status(503)), st.WatchError[*object](status(504)), st.Stream(st.Added(obj("b", "6")), hang),
			},
			requests: slices.Concat([]string{"list 0/500", "watch 5"}, slices.Repeat([]string{"resume", "watch 5"}, 4)),
			sink:     []string{"[a]@5", "Added b@6"},
			errors:   []string{"who?", "502", "503", "504"},
		},
		"watch: a version that makes no sense to it": {
			lists:    lists{st.Objects("5", a1), st.Objects("8", b2)},
			watches:  watches{st.WatchError[*object](apierrors.NewBadRequest("no such version"))},
			requests: []string{"list 0/500", "watch 5", "list /500", "watch 8"},
			sink:     []string{"[a]@5", "[b]@8"},
			errors:   []string{"watch: no such version"},
		},
		"resume: not understood": {
			lists:    lists{st.Objects("5", a1)},
			watches:  watches{cut},
			resumes:  lists{st.ListError[*object](apierrors.NewBadRequest("what?"))},
			requests: []string{"list 0/500", "watch 5", "resume", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"the connection was cut", "resume: what?"},
		},
		"resume: anything else": {
			lists:    lists{st.Objects("5", a1), st.Objects("8", b2)},
			watches:  watches{cut},
			resumes:  lists{st.ListError[*object](status(500)), st.ListError[*object](garbage), st.ListError[*object](rtt.TooManyRequests(1)), st.ListError[*object](rtt.Expired())},
			requests: []string{"list 0/500", "watch 5", "resume", "resume", "resume", "resume", "list 5", "watch 8"},
			sink:     []string{"[a]@5", "[b]@8"},
			errors:   []string{"the connection was cut", "500", "invalid character", "too many", "too old"},
		},
		"WatchList: forgotten": {
			stream:   true,
			opts:     options{ResourceVersion: "50"},
			watches:  watches{st.WatchError[*object](rtt.Expired()), st.Stream(st.Added(a1), st.InitialEventsEnd[*object]("57"), hang)},
			requests: []string{"resume", "stream 50", "stream "},
			sink:     []string{"[a]@57"},
			errors:   []string{"watch list: too old"},
		},
		"WatchList: throttled and out of order": {
			stream: true,
			lists:  lists{st.Objects("5", a1)},
			watches: watches{
				st.WatchError[*object](rtt.TooManyRequests(1)), st.WatchError[*object](status(500)), st.WatchError[*object](status(503)),
				st.WatchError[*object](rtt.Expired()), st.Stream(st.InitialEventsEnd[*object]("7"), hang),
			},
			requests: []string{"stream ", "stream ", "stream ", "list 0/500", "watch 5", "stream 5"},
			sink:     []string{"[a]@5", "[]@7"},
			errors:   []string{"too many", "500", "503", "too old"},
		},
		"WatchList: 422": {
			stream:   true,
			lists:    lists{st.Objects("5", a1), st.Objects("8", b2)},
			watches:  watches{st.WatchError[*object](status(422)), st.WatchError[*object](rtt.Expired())},
			requests: []string{"stream ", "list 0/500", "watch 5", "list 5", "watch 8"},
			sink:     []string{"[a]@5", "[b]@8"},
			errors:   []string{"422", "too old"},
		},
		"WatchList: 404": {
			stream:   true,
			lists:    lists{st.Objects("5", a1)},
			watches:  watches{st.WatchError[*object](status(404)), st.WatchError[*object](rtt.Expired()), st.Stream(st.InitialEventsEnd[*object]("7"), hang)},
			requests: []string{"stream ", "list 0/500", "watch 5", "stream 5"},
			sink:     []string{"[a]@5", "[]@7"},
			errors:   []string{"404", "too old"},
		},
		"WatchList: too large": {
			stream:   true,
			opts:     options{ResourceVersion: "50"},
			watches:  watches{st.WatchError[*object](rtt.TooLarge()), st.Stream(st.Added(a1), st.InitialEventsEnd[*object]("7"), hang)},
			requests: []string{"resume", "stream 50", "stream "},
			sink:     []string{"[a]<7"},
			errors:   []string{"Too large"},
		},
		"WatchList: where the last one stopped, which the source has not reached": {
			stream:   true,
			opts:     options{ResourceVersion: "50"},
			resumes:  lists{st.Objects("7", a1)},
			watches:  watches{st.Stream(st.Added(a1), st.InitialEventsEnd[*object]("7"), hang)},
			requests: []string{"resume", "stream "},
			sink:     []string{"[a]<7"},
			errors:   []string{"gone back"},
		},
		"WatchList: bookmarks and repetitions without end": {
			stream:   true,
			lists:    lists{st.Objects("5", a1)},
			watches:  watches{trickle(st.Bookmark[*object]("6")), trickle(st.Modified(a1)), trickle(st.Deleted(b2))},
			last:     2 * time.Minute,
			requests: []string{"stream ", "stream ", "stream ", "list 0/500", "watch 5"},
			sink:     []string{"[a]@5"},
			errors:   []string{"made no progress", "made no progress", "made no progress"},
		},
		"WatchList: undecodable, key unknown": {
			stream:   true,
			watches:  watches{st.Stream(undecodable(delta.Stale, "", "4"), undecodable(delta.Stale, "b", "4"), st.InitialEventsEnd[*object]("5"), hang), st.Stream(st.Added(a1), undecodable(delta.Stale, "b", "4"), st.InitialEventsEnd[*object]("6"), hang)},
			requests: []string{"stream ", "stream "},
			sink:     []string{"[a !b]@6"},
			errors:   []string{"decode: ", "decode ns/b: ", "watch list: objects without", "decode ns/b: "},
		},
		"WatchList: undecodable after a state that was not": {
			stream: true,
			watches: watches{st.Stream(
				st.Added(a1), st.Added(b2), undecodable(delta.Stale, "a", "6"), undecodable(delta.Stale, "b", "7"), st.Modified(obj("b", "8")),
				st.InitialEventsEnd[*object]("9"), hang,
			)},
			requests: []string{"stream "},
			sink:     []string{"[a b !a]@9"},
			errors:   []string{"decode ns/a: ", "decode ns/b: "},
		},
		"WatchList: ignored states": {
			stream: true,
			watches: watches{st.Stream(
				st.Added(a1), st.Added(b2), ignored(delta.Kept, "c", "3"),
				ignored(delta.Kept, "a", "6"),
				ignored(delta.Deleted, "b", "7"), st.InitialEventsEnd[*object]("9"),
				ignored(delta.Kept, "a", "10"),
				ignored(delta.Deleted, "a", "11"), hang,
			)},
			requests: []string{"stream "},
			sink:     []string{"[a =c]@9", "Kept a@10", "Deleted a@11"},
		},
		"WatchList: switched off": {
			stream:   true,
			opts:     options{Settings: reflector.Settings{NoWatchList: true}},
			lists:    lists{st.Objects("5", a1)},
			requests: []string{"list 0/500", "watch 5"},
			sink:     []string{"[a]@5"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				src := &st.Script[*object]{NoWatchList: !test.stream}
				src.Lists(test.lists...).Watches(test.watches...).Resumes(test.resumes...)
				var errs []string
				test.opts.OnEvent = errorsTo(func(err error) { errs = append(errs, err.Error()) })
				s := &sink{fail: test.fail}
				if test.last == 0 {
					test.last = 50 * time.Second
				}
				ctx, cancel := context.WithTimeout(t.Context(), test.last)
				defer cancel()
				r := reflector.New(src.Source(), s, test.opts)
				r.Run(ctx)

				var requests []string
				for _, q := range src.Requests() {
					requests = append(requests, ask(q))
				}
				if !slices.Equal(requests, test.requests) {
					t.Errorf("requests\n got  %q\n want %q", requests, test.requests)
				}
				if !slices.Equal(s.log, test.sink) {
					t.Errorf("sink\n got  %q\n want %q", s.log, test.sink)
				}
				same := len(errs) == len(test.errors)
				for i := range min(len(errs), len(test.errors)) {
					same = same && strings.Contains(errs[i], test.errors[i])
				}
				if !same {
					t.Errorf("errors\n got  %q\n want %q", errs, test.errors)
				}
				if n := len(errs); n > 0 && r.Stats().LastError.Error() != errs[n-1] || n == 0 && r.Stats().LastError != nil {
					t.Errorf("last error is %v", r.Stats().LastError)
				}
			})
		})
	}
}
