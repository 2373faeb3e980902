// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	conn, err := kubeconn.Load("")
	if err == nil && len(os.Args) != 2 {
		err = errors.New("name one directory")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mirror:", err)
		os.Exit(1)
	}
	run(ctx, wire.Source[*v1alpha1.Device](conn, v1alpha1.DevicesResource), directory(os.Args[1]))
}

// run mirrors devices until ctx ends.
func run(ctx context.Context, devices source.Source[*v1alpha1.Device], dir directory) {
	queue.Controller[*v1alpha1.Device]{
		Source:  devices,
		Queue:   queue.NewDeltaFIFO[types.NamespacedName, *v1alpha1.Device](dir),
		Process: dir.process,
		OnError: func(err error) { slog.Error("mirror", "error", err) },
	}.Run(ctx)
}

// directory has a file NAMESPACE/NAME.json for each device. It implements queue.KnownObjects.
type directory string

func (dir directory) file(key types.NamespacedName) string {
	return filepath.Join(string(dir), key.Namespace, key.Name+".json")
}

// Get implements queue.KnownObjects.
func (dir directory) Get(key types.NamespacedName) (*v1alpha1.Device, bool) {
	text, err := os.ReadFile(dir.file(key))
	d := new(v1alpha1.Device)
	return d, err == nil && json.Unmarshal(text, d) == nil
}

// Keys implements queue.KnownObjects.
func (dir directory) Keys() iter.Seq[types.NamespacedName] {
	return func(yield func(types.NamespacedName) bool) {
		files, _ := filepath.Glob(dir.file(types.NamespacedName{Namespace: "*", Name: "*"}))
		for _, file := range files {
			path, name := filepath.Split(strings.TrimSuffix(file, ".json"))
			if !yield(types.NamespacedName{Namespace: filepath.Base(path), Name: name}) {
				return
			}
		}
	}
}

// process writes the changes of one device, in order. If that fails, the queue returns them again in a second.
func (dir directory) process(_ context.Context, changes *delta.Batch[types.NamespacedName, *v1alpha1.Device]) error {
	for _, d := range changes.Deltas {
		if err := dir.write(d); err != nil {
			slog.Warn("mirror", "error", err)
			return queue.ErrRequeue
		}
	}
	return nil
}

func (dir directory) write(d source.Delta[*v1alpha1.Device]) error {
	file := dir.file(d.Key)
	switch {
	case d.Type == delta.Deleted:
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	case d.NoObject: // it could not be decoded: keep the last state
		return nil
	}
	text, err := json.MarshalIndent(d.Object, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}
