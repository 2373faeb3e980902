// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// trickling returns a Conn to a server that answers each request with a list whose first object
// never ends: it grows by n bytes a second.
func trickling(n int) (conn Conn, hangUp func()) {
	serve := func(c net.Conn) {
		defer c.Close()
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			return
		}
		const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + `{"items":[{"metadata":{"name":"`
		_, err := io.WriteString(c, head)
		for err == nil {
			time.Sleep(time.Second)
			_, err = io.WriteString(c, strings.Repeat("a", n))
		}
	}
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go serve(theirs)
		return ours, nil
	}}
	return Conn{
		BaseURL: "http://server",
		Client:  &http.Client{Transport: transport},
	}, transport.CloseIdleConnections
}

// TestTricklingListIsReported: bytes of an object that is not complete count as something that
// a list brings, but only 64 KiB of them.
func TestTricklingListIsReported(t *testing.T) {
	for name, c := range map[string]struct {
		bytes   int // a second
		reports int32
	}{
		"a byte a second": {1, 1},
		"8 KiB a second":  {8 << 10, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn, hangUp := trickling(c.bytes)
				defer func() {
					hangUp()
					time.Sleep(2 * time.Second) // until the server notices
				}()
				var reports atomic.Int32
				r := reflector.New(
					Source[Widget](conn, widgets, ""),
					queue.NewInOrder(
						queue.Config[types.NamespacedName, *Widget]{Key: queue.ObjectKey[*Widget]},
					),
					reflector.Options[*Widget]{NoWatchList: true, OnError: func(err error) {
						if !errors.Is(err, reflector.ErrSlowList) {
							t.Error(err)
						}
						reports.Add(1)
					}},
				)
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Second)
				defer cancel()
				r.Run(ctx)
				if n := reports.Load(); n != c.reports {
					t.Errorf("%d reports in 100 s, want %d", n, c.reports)
				}
			})
		})
	}
}
