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

// name returns the usual name of a package in imports, such as corev1. Each package has its own.
func (p *program) name(pkg string) string {
	if p.names[pkg] == "" {
		name := cmp.Or(model.VersionedName(pkg, path.Base(pkg)), between.ReplaceAllString(path.Base(pkg), ""))
		for p.named[name] != "" {
			name += "x"
		}
		p.names[pkg], p.named[name] = name, pkg
	}
	return p.names[pkg]
}

var (
	between  = regexp.MustCompile(`[^\pL\pN]+`)
	vague    = regexp.MustCompile(`^(?i:name|namespace|kind|group|uid|id|)$`)
	initials = regexp.MustCompile(`(?:\b|_)(?:(?:uid|id|url|ip)\b|\pL)`)
	core     = regexp.MustCompile(`^(?:.*By)?(\p{Lu}.*?)(?:Index)?$`)
)

// free returns a name for an index that no other index of the type has, of the last words that tell enough.
func free(of, index string, others map[string]*Index) (name string) {
	words := between.Split(index, -1)
	for i := len(words) - 1; i >= 0 && (name == "" || vague.MatchString(words[i+1]) || others[of+" "+name] != nil); i-- {
		name = exported(strings.Join(words[i:], "."))
	}
	for i, first := 2, name; others[of+" "+name] != nil; i++ {
		name = first + strconv.Itoa(i)
	}
	return name
}

// exported returns a name in Go for some words.
func exported(s string) string {
	s = between.ReplaceAllString(initials.ReplaceAllStringFunc(s, strings.ToUpper), "")
	return core.ReplaceAllString(s, "$1")
}
