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

// document is a YAML document.
type document struct {
	file    string // "" if it is not from a file
	content []byte
}

// prefix returns the beginning of an error about d.
func (d document) prefix() string {
	if d.file == "" {
		return ""
	}
	return d.file + ": "
}

// readManifests reads the documents in a file, or in the files of a directory.
func readManifests(path string) ([]document, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("reading manifests: %w", err)
	}
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
	var documents []document
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading manifests: %w", err)
		}
		d, err := splitManifests(file, data)
		if err != nil {
			return nil, err
		}
		documents = append(documents, d...)
	}
	if len(documents) == 0 {
		return nil, fmt.Errorf("there are no manifests in %s, and directories below it are not searched: generate them first", path)
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

// splitManifests splits YAML into its documents, without the empty ones.
func splitManifests(file string, data []byte) ([]document, error) {
	var documents []document
	for r := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data))); ; {
		content, err := r.Read()
		d := document{file, content}
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%ssplitting YAML into documents: %w", d.prefix(), err)
		}
		var value any
		if err := yaml.Unmarshal(content, &value); err != nil {
			return nil, fmt.Errorf("%sparsing YAML: %w", d.prefix(), err)
		}
		if value != nil {
			documents = append(documents, d)
		}
	}
}
