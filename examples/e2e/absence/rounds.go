// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package absence

import (
	"context"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

var (
	rounds = flag.Int("absent.rounds", 3, "rounds in which types come and go; a round takes some seconds")
	seed   = flag.Uint64("absent.seed", 0, "seed of these rounds; 0 chooses one")
)

// atRest is the time in which an informer follows its type.
const atRest = 15 * time.Second

// Run makes the types of a server come and go, in -absent.rounds rounds, and fails t if an informer does not
// follow. The informers run, and the server served none of Types when they began.
func Run(t *testing.T, server *apiserver.Server, informers []*Informer) {
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("-absent.seed=%d", *seed)
	c := &cluster{
		t: t, Server: server, client: server.HTTPClient(), served: map[string]string{},
		random: rand.New(rand.NewPCG(*seed, 0)),
	}
	defer c.client.CloseIdleConnections()
	ctx, cancel := context.WithCancel(t.Context())
	var following sync.WaitGroup
	defer func() { cancel(); following.Wait() }()
	for _, i := range informers {
		following.Go(func() { i.follow(ctx) })
	}
	for round := range *rounds {
		did, removed := c.round()
		began := time.Now()
		for _, i := range informers {
			for problem := i.check(c.list(i.Resource)); problem != ""; problem = i.check(c.list(i.Resource)) {
				if time.Since(began) > atRest {
					t.Fatalf("round %d %v: %v after its change, the %s informer of %s: %s", round, did, time.Since(began),
						i.Of, i.Resource, problem)
				}
				time.Sleep(50 * time.Millisecond)
			}
			left, strange := i.take()
			if left > 0 && !removed[i.Resource] {
				t.Errorf("round %d %v: the %s informer of %s became absent", round, did, i.Of, i.Resource)
			}
			if strange != nil {
				t.Errorf("round %d %v: calls of the handler of the %s informer of %s that do not follow: %v", round, did,
					i.Of, i.Resource, strange)
			}
		}
		t.Logf("round %d %v: at rest after %v", round, did, time.Since(began).Round(time.Millisecond))
	}
}

// round makes up to three changes, and writes objects after each. It says what it did, and which types it removed,
// if only for a moment.
func (c *cluster) round() (did []string, removed map[string]bool) {
	removed = map[string]bool{}
	for range 1 + c.random.IntN(3) {
		name := Types()[c.random.IntN(len(Types()))].Resource
		version, installed := c.served[name]
		switch op := c.random.IntN(6); {
		case op == 0:
			did = append(did, "restart")
			if err := c.RestartServer(c.t.Context()); err != nil {
				c.t.Fatal(err)
			}
		case op == 1:
			did = append(did, "cut")
			if _, err := c.CutConnections(c.t.Context()); err != nil {
				c.t.Fatal(err)
			}
		case !installed:
			version = []string{"v1", "v1", "v2"}[c.random.IntN(3)]
			did = append(did, "install "+name+" "+version)
			c.install(name, version)
		case op == 2 || op == 3:
			did = append(did, "remove "+name)
			c.remove(name)
			removed[name] = true
		case op == 4:
			did = append(did, "renew "+name)
			c.remove(name)
			c.install(name, version)
			removed[name] = true
		}
		for _, name := range slices.Sorted(maps.Keys(c.served)) {
			for range c.random.IntN(5) {
				c.write(name)
			}
		}
	}
	return did, removed
}
