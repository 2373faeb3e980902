// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strings"
)

// A keyTemplate is a form of keys: texts before, between and after values of fields.
type keyTemplate struct {
	learner                           *learner
	bareMarker                        *marker   // without conditions
	returningSamples, refutingSamples []*sample // those for which the function does not return it are refuting
}

// newTemplateOfKey returns the template of a key.
func (l *learner) newTemplateOfKey(key string) *keyTemplate {
	bare := &marker{learner: l}
	from := 0
	for _, m := range uniqueTexts.FindAllStringIndex(key, -1) {
		is := func(s *fieldPath) bool { return s.candidateStates[0] == "="+key[m[0]:m[1]] }
		if i := slices.IndexFunc(l.mentionedFields, is); i >= 0 {
			bare.keyLiterals, bare.keyPaths = append(bare.keyLiterals, key[from:m[0]]), append(bare.keyPaths, l.mentionedFields[i].path)
			from = m[1]
		}
	}
	bare.keyLiterals = append(bare.keyLiterals, key[from:])
	return &keyTemplate{learner: l, bareMarker: bare.copyWith(func(*marker) {})}
}

// keyFor returns the template's key for a sample, or false if a field is absent.
func (t *keyTemplate) keyFor(s *sample) (string, bool) {
	out := t.bareMarker.keyLiterals[0]
	for n, p := range t.bareMarker.keyPaths {
		state := s.mentionedStatesIfKnown[t.learner.fieldByPath[p].mentionedIndex]
		if state == stateAbsent {
			return "", false
		}
		out += state[1:] + t.bareMarker.keyLiterals[n+1]
	}
	return out, true
}

// hasEmptyLastPart reports whether the last part of a key is empty, which emitted functions leave out.
func hasEmptyLastPart(key string) bool { return key == "" || strings.HasSuffix(key, "/") }

// classifySample notes whether the function returns the template for a sample. It is not known if a field is absent, if
// the function panics, which no program can have met, or if the key may be of another template.
func (t *keyTemplate) classifySample(s *sample) {
	key, ok := t.keyFor(s)
	switch {
	case !ok || s.panicOrErrorText != "":
	case !slices.Contains(s.sortedKeys, key):
		t.refutingSamples = append(t.refutingSamples, s)
	case !slices.ContainsFunc(t.learner.templates, func(o *keyTemplate) bool { k, ok := o.keyFor(s); return ok && k == key && o != t }):
		t.returningSamples = append(t.returningSamples, s)
	}
}

// discoverTemplates runs the function on random samples, and collects the templates of its keys.
func (l *learner) discoverTemplates() {
	for i := range samplesPerRound {
		s, like := l.fullSample, l.fullSample
		if n := len(l.templates); i%3 == 1 && n > 0 {
			like = randomElement(l.rand, l.templates).randomReturningSample()
		} else if i%3 == 2 {
			like = nil
		}
		if i > 0 {
			s = l.addSingleElementSample(l.randomStateChooser(like))
		}
		l.addTemplatesOf(s)
	}
	l.addComparedTextSamples()
	for _, t := range slices.Clone(l.templates) { // those are left out whose keys are all of others
		if t.classifySingleElementSamples(); len(t.returningSamples) == 0 {
			l.templates = slices.DeleteFunc(l.templates, func(o *keyTemplate) bool { return o == t })
		}
	}
}

// addTemplatesOf adds templates of keys that those found do not have.
func (l *learner) addTemplatesOf(s *sample) {
	for _, key := range s.returnedKeys {
		known := func(t *keyTemplate) bool { k, ok := t.keyFor(s); return ok && k == key }
		if !slices.ContainsFunc(l.templates, known) {
			l.templates = append(l.templates, l.newTemplateOfKey(key))
		}
	}
}

// classifySingleElementSamples sorts all samples into those for which the function returns the template, and the others.
func (t *keyTemplate) classifySingleElementSamples() {
	t.returningSamples, t.refutingSamples = nil, nil
	for _, s := range t.learner.singleElementSamples {
		t.classifySample(s)
	}
}

// randomReturningSample returns a sample for which the function returns the template, if there is one.
func (t *keyTemplate) randomReturningSample() *sample {
	if len(t.returningSamples) == 0 {
		if t.classifySingleElementSamples(); len(t.returningSamples) == 0 {
			return t.learner.fullSample
		}
	}
	return randomElement(t.learner.rand, t.returningSamples)
}
