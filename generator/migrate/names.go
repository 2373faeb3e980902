// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// packageName returns the usual name of a package in imports, such as corev1. Each package has its own.
func (p *program) packageName(pkg string) string {
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
	nonWordRunes = regexp.MustCompile(`[^\pL\pN]+`)
	vagueName    = regexp.MustCompile(`^(?i:name|namespace|kind|group|uid|id|)$`)
	wordInitials = regexp.MustCompile(`(?:\b|_)(?:(?:uid|id|url|ip)\b|\pL)`)
	afterBy      = regexp.MustCompile(`^(?:.*By)?(\p{Lu}.*?)(?:Index)?$`)
)

// unusedIndexName returns a name for an index that no other index of the type has, of the last words that tell enough.
func unusedIndexName(objectType, index string, others map[string]*Index) (name string) {
	words := nonWordRunes.Split(index, -1)
	for i := len(words) - 1; i >= 0 && (name == "" || vagueName.MatchString(words[i+1]) || others[objectType+" "+name] != nil); i-- {
		name = indexNameFromWords(strings.Join(words[i:], "."))
	}
	for i, first := 2, name; others[objectType+" "+name] != nil; i++ {
		name = first + strconv.Itoa(i)
	}
	return name
}

// indexNameFromWords returns a name in Go for some words.
func indexNameFromWords(s string) string {
	s = nonWordRunes.ReplaceAllString(wordInitials.ReplaceAllStringFunc(s, strings.ToUpper), "")
	return afterBy.ReplaceAllString(s, "$1")
}
