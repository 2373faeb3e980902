// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

// A learner runs a function on objects whose fields have known states.
type learner struct {
	function             *Function
	objectType           reflect.Type
	rootField            *fieldPath
	mentionedFields      []*fieldPath
	fieldByPath          map[string]*fieldPath
	rand                 *rand.Rand
	fullSample           *sample // all is there, and unlike all others
	sampleByStates       map[string]*sample
	singleElementSamples []*sample // without the comparedTextSamples
	comparedTextSamples  []*sample // with texts that conditions compare
	randomSamples        []*sample // with lists of several elements
	templates            []*keyTemplate

	totalEvaluations map[int]*callOrTotalEvaluation // of the function's source, by id
}

// A sample is an object, and the keys that the function returns for it.
type sample struct {
	mentionedStatesIfKnown []string    // by mentionedIndex; of the last elements of lists
	statesInFillOrder      [][2]string // paths and states, in the order in which the object was filled
	includesUnmentioned    bool        // it has fields that the function does not mention
	objectJSON             []byte
	recordedRootValues     valuesByPath
	returnedKeys           []string // in the function's order
	sortedKeys             []string // without duplicates
	panicOrErrorText       string
	decodeFailed           bool // such as of a number that does not fit

	evaluationByID     map[int]*callOrTotalEvaluation // conditions of the source
	normalizedByCauses map[string]*sample             // with other texts in place of unusual ones
}

func (f *Function) newLearnerWithFullSample(obj any) *learner {
	f.Keys = slices.DeleteFunc(f.Keys, func(key string) bool { return !usableConstant.MatchString(key) })
	l := &learner{
		function: f, objectType: reflect.TypeOf(obj).Elem(), fieldByPath: map[string]*fieldPath{},
		rand: rand.New(rand.NewPCG(1, 1)), sampleByStates: map[string]*sample{}, totalEvaluations: map[int]*callOrTotalEvaluation{},
	}
	l.rootField = l.addFieldPath(l.objectType, "", false, true, nil)
	l.fullSample = l.addSingleElementSample(func(s *fieldPath) string { return s.candidateStates[0] })
	return l
}

// runOnFilledObject makes an object of a sample, and runs the function on it.
func (l *learner) runOnFilledObject(chooseState func(*fieldPath) string, includeUnmentioned bool) *sample {
	n := len(l.mentionedFields)
	s := &sample{mentionedStatesIfKnown: make([]string, n), includesUnmentioned: includeUnmentioned, recordedRootValues: make(valuesByPath, n)}
	s.normalizedByCauses = map[string]*sample{}
	f := &objectJSONBuilder{sample: s, chooseState: chooseState}
	s.objectJSON = f.chooseValueJSON(l.rootField, s.recordedRootValues)
	obj := reflect.New(l.objectType).Interface()
	if err := json.Unmarshal(s.objectJSON, obj); err != nil {
		s.decodeFailed, s.panicOrErrorText = true, err.Error()
		return s
	}
	s.evaluationByID = recordEvaluations(func() { s.returnedKeys, s.panicOrErrorText = l.function.callFunction(obj, s.objectJSON) })
	s.sortedKeys = slices.Compact(slices.Sorted(slices.Values(s.returnedKeys)))
	return s
}

// replayedSample returns a sample with the states of another, some of which change. The function gets a field, its state,
// and the number of its states that are left.
func (l *learner) replayedSample(s *sample, change func(field *fieldPath, state string, statesLeftOfField int) string) *sample {
	chosen := map[string][]string{}
	for _, c := range s.statesInFillOrder {
		chosen[c[0]] = append(chosen[c[0]], c[1])
	}
	return l.runOnFilledObject(func(field *fieldPath) (state string) {
		statesLeftOfField := chosen[field.path]
		if len(statesLeftOfField) > 0 {
			state, chosen[field.path] = statesLeftOfField[0], statesLeftOfField[1:]
		}
		return change(field, state, len(statesLeftOfField))
	}, s.includesUnmentioned)
}

// addSingleElementSample returns a sample in which lists have one element.
func (l *learner) addSingleElementSample(chooseState func(*fieldPath) string) *sample {
	s := l.runOnFilledObject(func(s *fieldPath) string {
		if s.mentionedIndex < 0 {
			return s.candidateStates[0]
		}
		return chooseState(s)
	}, false)
	id := strings.Join(s.mentionedStatesIfKnown, "\x00")
	if l.sampleByStates[id] == nil {
		if l.sampleByStates[id] = s; !s.decodeFailed {
			l.singleElementSamples = append(l.singleElementSamples, l.noteEvaluations(s))
		}
	}
	return l.sampleByStates[id]
}

// randomStateChooser chooses states, some of which are those of like, unless it is nil.
func (l *learner) randomStateChooser(like *sample) func(*fieldPath) string {
	keep, sparse := l.rand.IntN(10), l.rand.IntN(4) == 0
	return func(s *fieldPath) string {
		if like != nil && l.rand.IntN(10) <= keep && (s.canBeAbsent || like.mentionedStatesIfKnown[s.mentionedIndex] != stateAbsent) {
			return like.mentionedStatesIfKnown[s.mentionedIndex]
		} else if sparse && s.canBeAbsent && s.jsonClass != listClass && l.rand.IntN(3) > 0 {
			return stateAbsent
		}
		return randomElement(l.rand, randomElement(l.rand, s.weightedStateGroups))
	}
}

// addRandomSamples runs the function on random objects, in which texts are often alike. Most of them resemble those for
// which it is known to return some template.
func (l *learner) addRandomSamples() {
	for i := range samplesPerRound {
		var like *sample
		if i%4 != 0 && len(l.templates) > 0 {
			like = l.templates[i/4%len(l.templates)].randomReturningSample()
		}
		choose := l.randomStateChooser(like)
		object := l.runOnFilledObject(func(s *fieldPath) string {
			state := s.candidateStates[0]
			if s.mentionedIndex >= 0 {
				state = choose(s)
			}
			switch n := l.rand.IntN(60); {
			case strings.HasSuffix(s.path, elementCountSuffix):
				if c := stateNumber(l.randomConstant(numberClass, s)); n < 3 && c < 20 {
					return fmt.Sprint("=", max(1, c+n))
				}
				return fmt.Sprint("=", 1+n%3)
			case s.jsonClass == listClass && n < 15: // which is not nil
				return stateEmpty
			case s.path == objectNamespacePath && n < 3:
				return stateEmpty
			case state != s.candidateStates[0]:
				return state
			case s.jsonClass == textClass:
				return "=" + l.randomText(s)
			case s.jsonClass == opaqueClass:
				return randomElement(l.rand, s.opaqueStates)
			case s.jsonClass == numberClass && s.mentionedIndex >= 0: // a neighbor of a constant
				return fmt.Sprint("=", stateNumber(l.randomConstant(numberClass, s))+n%3-1)
			}
			return state
		}, i%20 == 0) // the function may read what its source does not show
		if !object.decodeFailed {
			object.mentionedStatesIfKnown = nil // of several elements, only those of the last are known
			l.randomSamples = append(l.randomSamples, l.noteEvaluations(object))
		}
	}
}

// randomElement returns one of some values.
func randomElement[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// randomText returns a text that is often equal to others. A function may look into a text, or change it, so some have
// the shapes of names and addresses, a constant of the function in them, or are longer than a number of it.
func (l *learner) randomText(s *fieldPath) string {
	if l.rand.IntN(6) > 0 || strings.HasSuffix(s.path, entryKeySuffix) {
		return randomElement(l.rand, []string{"a", "b", "c"})
	} else if n := stateNumber(l.randomConstant(numberClass, s)); 3 < n && n < 300 && l.rand.IntN(4) == 0 {
		return strings.Repeat("x", n+1)
	}
	w := l.randomConstant(textClass, s)
	if strings.HasPrefix(s.path, ".metadata.name") { // it has no slash
		w = strings.ReplaceAll(w, "/", ".")
		return randomElement(l.rand, []string{w, w + "-b", w + ".b", "b" + w, strings.ToLower(w)})
	} else if lastFieldOrKey(s.path) == "apiVersion" { // it is a group and a version, if it is no constant
		return randomElement(l.rand, []string{"a/b", "b.c/a", w, w + "b"})
	}
	return randomElement(l.rand, []string{
		w, w + "/", "B/" + w, w + "-b", w + ".b", "b" + w, strings.ToUpper(w), strings.ToLower(w), " " + w, w + "/b/c",
	})
}

// randomConstant returns a constant of the function, often one that is compared with the field.
func (l *learner) randomConstant(c jsonClass, s *fieldPath) string {
	near, all := l.function.constants(lastFieldOrKey(strings.TrimSuffix(s.path, elementCountSuffix)), c)
	if len(near) > 0 && l.rand.IntN(2) == 0 {
		return randomElement(l.rand, near)
	}
	return randomElement(l.rand, append(all, map[jsonClass][]string{textClass: {"a", "b.c", "d://e"}, numberClass: {"0", "2"}}[c]...))
}

// sampleWithState returns the sample in which a field is in another state, and what is above it is there.
func (l *learner) sampleWithState(from *sample, fieldIndex int, state string) *sample {
	return l.addSingleElementSample(func(s *fieldPath) string {
		switch old := from.mentionedStatesIfKnown[s.mentionedIndex]; {
		case s.mentionedIndex == fieldIndex:
			return state
		case isAncestorPath(s.path, l.mentionedFields[fieldIndex].path) && (old == stateAbsent || old == stateEmpty):
			return s.candidateStates[0]
		default:
			return old
		}
	})
}

// callFunction returns the function's keys of an object, or how it panics.
func (f *Function) callFunction(obj any, objectJSON []byte) (keys []string, panicOrErrorText string) {
	defer startTimeLimit(func() string { return string(objectJSON) })()
	defer func() {
		if r := recover(); r != nil {
			panicOrErrorText = fmt.Sprint(r)
		}
	}()
	keys, err := f.Call(obj)
	if err != nil { // client-go panics
		return nil, err.Error()
	}
	return slices.Clone(keys), ""
}
