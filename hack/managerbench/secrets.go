// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
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

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

const (
	readCount   = 100 // Secrets that are read from the start
	rotateCount = 1000
)

// The variants for Secrets. The first has none.
const (
	empty    = "no Secrets"
	whole    = "whole Secrets"
	metadata = "metadata, live reads"
	holdRead = "HoldRead"
)

func secrets() workload {
	return workload{
		objects: "Secrets", server: apiserver.Options{Kubernetes: true}, measure: readSecrets,
		object:   func(i int) client.Object { return secret(i, 1) },
		variants: []string{empty, whole, metadata, holdRead},
		columns: []column{
			{"server CPU s", "server", 1, 2}, {"start s", "start", 1, 1}, {"peak MB", "peak", 1e6, 1},
			{"live MB", "live", 1e6, 1}, {"unread B", "unread", 1, 0}, {"requests, start", "first", 1, 2},
			{"idle", "idle", 1, 2}, {"rotation", "rotation", 1, 2}, {"found", "found", 1, 0},
		},
		derive: func(medians map[string]figures, n float64) {
			for _, f := range medians {
				f["unread"] = (f["live"] - medians[empty]["live"] - f["held"]) / n
			}
		},
	}
}

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

// A value in the heap: decoded, or in base64.
var (
	decoded = regexp.MustCompile(`value-of-(\d{9})-`)
	encoded = regexp.MustCompile(base64.StdEncoding.EncodeToString([]byte("value-of-")) + `([A-Za-z0-9+/]{12})`)
)

// valuesInHeap returns how many Secrets that were not read have a value in the heap.
func valuesInHeap(read func(n int) bool) (int, error) {
	runtime.GC()
	runtime.GC() // what pools held on to
	file, err := os.CreateTemp("", "managerbench")
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
