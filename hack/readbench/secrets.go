// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
)

const (
	readCount   = 100 // Secrets that are read from the start
	rotateCount = 1000
	creators    = 16
)

// secretName precedes the number in the name of a Secret.
const secretName = "secret-"

// secret returns the n-th Secret. Its value begins with its number, which base64 keeps at its beginning.
func secret(n int, salt uint64) *corev1.Secret {
	size := 2_000
	if n%2 == 0 {
		size = 20_000
	}
	random := rand.New(rand.NewPCG(uint64(n), salt))
	value := fmt.Appendf(nil, "value-of-%09d-", n)
	for len(value) < size {
		value = strconv.AppendUint(value, random.Uint64(), 36)
	}
	s := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: fmt.Sprint(secretName, n), Labels: map[string]string{"app": fmt.Sprint("app-", n%100)},
		},
		Data: map[string][]byte{"token": value},
	}
	if n%10 == 0 {
		s.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: fmt.Sprintf(
			`{"apiVersion":"v1","kind":"Secret","data":{"token":"%s"}}`, base64.StdEncoding.EncodeToString(value))}
	}
	return s
}

func newClient(e apiserver.Endpoint) (client.Client, error) {
	config := restconfig.New(e)
	config.QPS = -1
	return client.New(config, client.Options{Mapper: mapper()})
}

// create creates n Secrets.
func create(ctx context.Context, e apiserver.Endpoint, n int) error {
	c, err := newClient(e)
	if err != nil {
		return err
	}
	var creating sync.WaitGroup
	failed := make(chan error, creators)
	for first := range creators {
		creating.Go(func() {
			for i := first; i < n; i += creators {
				if err := c.Create(ctx, secret(i, 1)); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	creating.Wait()
	close(failed)
	return <-failed
}

// A value in the heap: decoded, or in base64.
var (
	decoded = regexp.MustCompile(`value-of-(\d{9})-`)
	encoded = regexp.MustCompile(base64.StdEncoding.EncodeToString([]byte("value-of-")) + `([A-Za-z0-9+/]{12})`)
)

// valuesInHeap returns how many Secrets that were not read have a value in the heap.
func valuesInHeap(read func(n int) bool) (int, error) {
	runtime.GC()
	runtime.GC() // what pools held on to
	file, err := os.CreateTemp("", "readbench")
	if err != nil {
		return 0, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	debug.WriteHeapDump(file.Fd())
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	found := map[int]bool{}
	in := bufio.NewReaderSize(file, 1<<20)
	for {
		window, err := in.Peek(1 << 20)
		for _, match := range decoded.FindAllSubmatch(window, -1) {
			note(found, match[1], read)
		}
		for _, match := range encoded.FindAllSubmatch(window, -1) {
			if number, err := base64.StdEncoding.DecodeString(string(match[1])); err == nil {
				note(found, number, read)
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return len(found), err
		}
		_, _ = in.Discard(len(window) - 64) // the next window has values that this one cuts
	}
}

func note(found map[int]bool, number []byte, read func(int) bool) {
	if n, err := strconv.Atoi(string(number)); err == nil && !read(n) {
		found[n] = true
	}
}
