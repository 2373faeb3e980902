// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// uniqueImportName returns the usual name of a package in imports, such as corev1. Each package has its own.
func (p *program) uniqueImportName(pkg string) string {
	if p.nameByPackagePath[pkg] == "" {
		name := cmp.Or(model.VersionedName(pkg, path.Base(pkg)), nonWordRunes.ReplaceAllString(path.Base(pkg), ""))
		for p.packagePathByName[name] != "" {
			name += "x"
		}
		p.nameByPackagePath[pkg], p.packagePathByName[name] = name, pkg
	}
	return p.nameByPackagePath[pkg]
}

var (
	pathSteps    = regexp.MustCompile(`[^\pL\pN_ -]+`) // words with dashes are one step
	nonWordRunes = regexp.MustCompile(`[^\pL\pN]+`)
	vagueName    = regexp.MustCompile(`^(?i:name|namespace|kind|group|uid|id|)$`)
	wordInitials = regexp.MustCompile(`(?:\b|_)(?:(?:uid|id|url|ip)\b|\pL)`)
	afterBy      = regexp.MustCompile(`^(?:.*By)?(\p{Lu}.*?)(?:Index)?$`)
)

// distinctNameOfLastSteps returns a name for an index, of as many of its last steps as tell it from the others.
func distinctNameOfLastSteps(index string, others []string) (name string) {
	steps := pathSteps.Split(index, -1)
	for i, first := range slices.Backward(steps) {
		endsAlike := func(other string) bool {
			last := pathSteps.Split(other, -1)
			return other != index && indexNameFromWords(strings.Join(last[max(0, len(last)-len(steps)+i):], ".")) == name
		}
		name = indexNameFromWords(strings.Join(steps[i:], "."))
		if name != "" && !vagueName.MatchString(first) && !slices.ContainsFunc(others, endsAlike) {
			break
		}
	}
	return name
}

// indexNameFromWords returns a name in Go for some words.
func indexNameFromWords(s string) string {
	s = nonWordRunes.ReplaceAllString(wordInitials.ReplaceAllStringFunc(s, strings.ToUpper), "")
	return afterBy.ReplaceAllString(s, "$1")
}
