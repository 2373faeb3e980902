// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are written in one case by convention: ID and id, not Id.
var initialisms = setOfNames(strings.Fields(`acl api ascii cpu css dns eof guid html http https id ip json lhs qps
	ram rhs rpc sla smtp sql ssh tcp tls ttl udp ui uid uri url utf8 uuid vm xml xmpp xsrf xss`))

// mixedCaseWords are words with several capital letters, if no lower-case letter follows them.
var mixedCaseWords = []string{"IPv", "OAuth"}

// lowerFirst makes an exported name local: NodeName is nodeName, URLPath is urlPath, IDs
// is ids, IPv4 is ipv4.
func lowerFirst(s string) string {
	n := firstWordLength(s)
	return strings.ToLower(s[:n]) + s[n:]
}

// firstWordLength returns the length in bytes of the first word of s, which begins in upper case.
func firstWordLength(s string) int {
	for _, word := range mixedCaseWords {
		if rest, ok := strings.CutPrefix(s, word); ok && !startsLower(rest) {
			return len(word)
		}
	}
	capitals, last := 0, 0 // in bytes: all capitals, and the last of them
	for _, r := range s {
		if !unicode.IsUpper(r) {
			break
		}
		last = utf8.RuneLen(r)
		capitals += last
	}
	rest, plural := strings.CutPrefix(s[capitals:], "s")
	switch {
	case capitals == last || !startsLower(s[capitals:]):
		return capitals
	case plural && rest == "", plural && !startsLower(rest) && initialisms[strings.ToLower(s[:capitals])]:
		return capitals + len("s")
	}
	return capitals - last // which begins the second word
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// firstLetter is the first letter of a name, in lower case.
func firstLetter(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r))
}

// keyPrefix names a map key without letters or digits. It is a prefix for keys that do not
// begin with a letter that has an upper case.
const keyPrefix = "Key"

// exportedCamelCase makes an exported Go name of a map key: app.kubernetes.io/name is
// AppKubernetesIoName, instance-id is InstanceID, and 日本 is Key日本.
func exportedCamelCase(s string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		first, n := utf8.DecodeRuneInString(word)
		switch {
		case b.Len() == 0 && !unicode.IsUpper(unicode.ToUpper(first)):
			b.WriteString(keyPrefix + word)
		case initialisms[strings.ToLower(word)]:
			b.WriteString(strings.ToUpper(word))
		default:
			b.WriteString(string(unicode.ToUpper(first)) + word[n:])
		}
	}
	if b.Len() == 0 {
		return keyPrefix
	}
	return b.String()
}
