// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// each is the step of a path to the elements of a list, or to the values of a map.
const each = "[*]"

const ownNamespace = ".metadata.namespace"

// listOf returns the path of the innermost element that a path goes through, or "", and the path from there.
func listOf(path string) (elem, rest string) {
	i := strings.LastIndex(path, each)
	if i < 0 {
		return "", path
	}
	return path[:i+len(each)], path[i+len(each):]
}

// nameOf returns the last field of a path.
func nameOf(path string) string {
	name := path[strings.LastIndex(path, ".")+1:]
	if i := strings.LastIndex(path, "['"); i >= 0 {
		name = path[i+2:]
		return name[:max(0, strings.Index(name, "']"))]
	}
	return strings.TrimSuffix(name, each)
}

// holderOf returns the path of the struct that has the last field of a path.
func holderOf(path string) string { return path[:max(0, strings.LastIndex(path, "."))] }

// above reports whether a path goes through what another leads to.
func above(other, path string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && rest != "" && strings.Contains(".[", rest[:1])
}

var (
	step  = regexp.MustCompile(`\.[^.\[]+|\['[^']*'\]|\[\*\]`)
	steps = map[string][]string{}
)

// stepsOf returns the steps of a path, and an empty one.
func stepsOf(path string) []string {
	if steps[path] == nil {
		steps[path] = append(step.FindAllString(path, -1), "")
	}
	return steps[path]
}

// at returns what a path without [*] leads to.
func at(v reflect.Value, path string) (reflect.Value, bool) {
	for _, step := range stepsOf(path) {
		for v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		if strings.HasPrefix(step, "[") {
			v = v.MapIndex(reflect.ValueOf(step[2 : len(step)-2]).Convert(v.Type().Key()))
		} else if step != "" {
			m, ok := memberOf(v.Type(), step[1:])
			if !ok {
				return v, false
			}
			of, err := v.FieldByIndexErr(m.index)
			if err != nil { // it is inlined and nil
				return v, false
			}
			v = of
		}
		if !v.IsValid() {
			return v, false
		}
	}
	return v, true
}

// stateAt returns the state of what a path leads to.
func stateAt(v reflect.Value, path string) string {
	switch v, ok := at(v, path); {
	case !ok:
		return ""
	case classOf(v.Type()) == whole || classOf(v.Type()) == list && v.Len() > 0:
		return "=all"
	case classOf(v.Type()) == list:
		return "="
	default:
		return "=" + textOf(v)
	}
}

// typeAt returns the type that a path leads to, without pointers.
func typeAt(t reflect.Type, path string) reflect.Type {
	for _, step := range stepsOf(path) {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if strings.HasPrefix(step, "[") {
			t = t.Elem()
		} else if step != "" {
			m, _ := memberOf(t, step[1:])
			t = t.FieldByIndex(m.index).Type
		}
	}
	return t
}

// elements returns the elements of a list, or the values of a map.
func elements(v reflect.Value) (out []reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := 0; i < v.Len(); i++ {
			out = append(out, v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			out = append(out, v.MapIndex(key))
		}
	}
	return out
}

func textOf(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.Kind() == reflect.String:
		return v.String()
	}
	return fmt.Sprint(v.Interface())
}

func numberOf(s string) int64 { n, _ := strconv.ParseInt(s, 10, 64); return n }

func isNumber(s string) bool { _, err := strconv.ParseInt(s, 10, 64); return err == nil }
