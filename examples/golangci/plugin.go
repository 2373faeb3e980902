// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package golangci is a plugin of golangci-lint with the analyzers of indexer-gen vet. Copy it into your project, and name
// it in .custom-gcl.yml.
package golangci

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/indexer-gen/indexer-gen/generator/vet"
)

func init() {
	register.Plugin("indexergen", func(any) (register.LinterPlugin, error) { return plugin{}, nil })
}

type plugin struct{}

func (plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) { return vet.Analyzers(), nil }

func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
