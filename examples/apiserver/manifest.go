// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// readManifests reads the documents in a file, or in the files of a directory.
func readManifests(path string) ([][]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("reading manifests: %w", err)
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = manifestFiles(path); err != nil {
			return nil, err
		}
	}
	var documents [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading manifests: %w", err)
		}
		d, err := splitManifests(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		documents = append(documents, d...)
	}
	if len(documents) == 0 {
		return nil, fmt.Errorf("there are no manifests in %s: generate them first", path)
	}
	return documents, nil
}

func manifestFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir) // in order of name
	if err != nil {
		return nil, fmt.Errorf("reading manifests: %w", err)
	}
	var files []string
	for _, entry := range entries {
		switch filepath.Ext(entry.Name()) {
		case ".yaml", ".yml", ".json":
			if !entry.IsDir() {
				files = append(files, filepath.Join(dir, entry.Name()))
			}
		}
	}
	return files, nil
}

// splitManifests splits YAML into its documents and leaves out empty ones.
func splitManifests(data []byte) ([][]byte, error) {
	var documents [][]byte
	for r := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data))); ; {
		document, err := r.Read()
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, fmt.Errorf("splitting YAML into documents: %w", err)
		}
		var content any
		if err := yaml.Unmarshal(document, &content); err != nil {
			return nil, fmt.Errorf("parsing YAML: %w", err)
		}
		if content != nil {
			documents = append(documents, document)
		}
	}
}
