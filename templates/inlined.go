// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// declareInlined declares the functions that the file would otherwise import. @ stands for the prefix of the target.
func declareInlined(f *file) {
	for _, h := range f.pkg.Inlined() {
		source := inlinedSources[h]
		if own := inlinedSourcesByTarget[f.pkg.Target][h]; own != "" {
			source = own
		}
		f.declare("", strings.ReplaceAll(strings.TrimSpace(source), "@", f.inlinedFunctionName("")))
	}
}

// inlinedFunctionName returns the name of an inlined function.
func (f *file) inlinedFunctionName(function model.InlinedFunction) string {
	return f.pkg.Target.NameOf(function)
}

// inlinedSources are those of all targets. A test compares their local names with those that imports avoid.
var inlinedSources = map[model.InlinedFunction]string{
	model.InlinedText: `
// @Text returns the key of a string.
func @Text[S ~string](value S) string { return string(value) }`,
	model.InlinedJoin: `
// @Join joins parts with slashes. It escapes slashes in parts.
func @Join(parts ...string) string {
	for i, part := range parts {
		parts[i] = «strings».NewReplacer("%", "%25", "/", "%2F").Replace(part)
	}
	return «strings».Join(parts, "/")
}`,
	model.InlinedLabels: `
// @Labels appends two keys for each label of obj: one of its key and value, and one of its key.
func @Labels[T «metav1».Object](dst []string, obj T) []string {
	for key, value := range obj.GetLabels() {
		dst = append(dst, @Join(key, value), @Join(key))
	}
	return dst
}`,
	model.InlinedRequired: `
// @Required returns the keys that the index of labels has for each object that selector matches. Keys with a
// value come first.
func @Required(selector «labels».Selector) (keys []string) {
	requirements, _ := selector.Requirements()
	for _, requirement := range requirements {
		if requirement.Matches(«labels».Set{}) {
			continue // such as key!=value, which objects without the label satisfy
		}
		if value, found := selector.RequiresExactMatch(requirement.Key()); found {
			keys = append([]string{@Join(requirement.Key(), value)}, keys...)
		} else {
			keys = append(keys, @Join(requirement.Key()))
		}
	}
	return keys
}`,
	model.InlinedOwners: `
// @Owners appends the UIDs of all owners of obj.
func @Owners[T «metav1».Object](dst []«types».UID, obj T) []«types».UID {
	for _, owner := range obj.GetOwnerReferences() {
		dst = append(dst, owner.UID)
	}
	return dst
}`,
	model.InlinedController: `
// @Controller appends the UID of obj's controller, if obj has one.
func @Controller[T «metav1».Object](dst []«types».UID, obj T) []«types».UID {
	if owner := «metav1».GetControllerOfNoCopy(obj); owner != nil {
		dst = append(dst, owner.UID)
	}
	return dst
}`,
	model.InlinedReference: `
// @Reference appends the key that text refers to: a name in namespace, or namespace/name. There is
// none without a name or a namespace.
func @Reference(dst []«types».NamespacedName, namespace, text string) []«types».NamespacedName {
	name := text
	if before, after, found := «strings».Cut(text, "/"); found {
		namespace, name = before, after
		if «strings».Contains(name, "/") {
			return dst
		}
	}
	if namespace == "" || name == "" {
		return dst
	}
	return append(dst, «types».NamespacedName{Namespace: namespace, Name: name})
}`,
	model.InlinedQuantity: `
// @Quantity returns the amount in decimal notation, which is the same for equal amounts.
func @Quantity(quantity «resource».Quantity) string {
	text := quantity.AsDec().String()
	if «strings».Contains(text, ".") {
		text = «strings».TrimRight(«strings».TrimRight(text, "0"), ".")
	}
	return text
}`,
}
