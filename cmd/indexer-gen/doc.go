// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command indexer-gen writes typed listers, indexers and informers for Go API
// types of Kubernetes, with the indexes that +index markers beside the types ask
// for.
//
//	indexer-gen [flags] [packages]
//	indexer-gen explain [-format text|markdown|json] [flags] [packages]
//	indexer-gen help manual
//
// Packages are named as for the go command; without any, it is the one in the
// working directory. For each package with types to emit it writes one file,
// zz_generated.indexers.go, beside the types, and only if it changes:
//
//	//go:generate go run github.com/indexer-gen/indexer-gen/cmd/indexer-gen@version
//
// A file that an earlier run wrote for a package which has no type to emit any
// more is removed; with -check it counts as stale. If there is no such file either, it is
// an error that nothing is to be emitted. A file that was made with -all, which it says, is
// left to runs with -all: others do not remove it, and would take no type from it, which is
// an error. A file that does not have the line that emitted ones begin with is left alone.
// What is not a regular file, a named pipe for example, is an error. Temporary files that a
// killed run left behind are removed by the next one, once they are a minute old.
//
// What was done is said in one line on standard error, with counts and time, and below it
// what go.sum lacks before the code that was written can be compiled; standard output has
// what was removed, and stays empty otherwise unless a flag asks for something.
//
// explain writes nothing. It lists every root type of the packages with its group,
// version, resource and scope, and its indexes with their paths, the Go types that
// they are asked with, and the methods that they give.
//
// # Flags
//
//	-all             every root type, not only those with a marker; of a package that
//	                 marks types with +kubebuilder:object:root or +genclient only
//	                 those, if they can be listed and watched
//	-check           write nothing; print a unified diff and exit with 1 if a
//	                 file is stale
//	-dry-run         write nothing; print what would be written
//	-header file     begin emitted files with the comments in file
//	-json            print what is wrong or, if nothing is, what became of each file
//	                 as JSON on standard output; see below
//	-o directory     write to this directory instead of beside the types; {path}
//	                 stands for the path of a package in its module, and is needed
//	                 if several packages have types to emit
//	-package name    with -o, the name of the emitted package; otherwise it is that
//	                 of the directory
//	-help            print flags, markers and their options, and exit codes
//	-version         print the version
//
// # Markers
//
// A marker is a comment line of its own in, or right above, the doc comment of a
// type or field. A root type embeds metav1.TypeMeta and metav1.ObjectMeta, or, if it
// holds only some of the fields, slim.Meta or slim.Labeled of the runtime.
//
//	on a root type
//	  +index:generate               emit the type, without an index of its own
//	  +index:name=N,path=P          ByN(v): the objects whose value at P is v
//	  +index:name=N,paths={P,Q}     ByN(p, q): those with this pair of values
//	  +index:labels                 ByLabel(key, value); List(selector) answers from it
//	  +index:ref:name=N,path=P,namespacePath=Q
//	                                ByN(types.NamespacedName): who refers to it; without
//	                                namespacePath, or where it leads to nothing, the
//	                                namespace is the object's own, which is none if the
//	                                type is cluster-scoped
//	  +kubebuilder:selectablefield:JSONPath=P
//	                                as if P were marked, unless it is; an error, above
//	                                a type that has a CRD, where API servers refuse P
//	  +index:owner                  ByOwner(uid) and ByController(uid)
//	on a field, at any depth below a root type
//	  +index                        ByField(v), named for the field
//	  +index:name=N                 ByN(v)
//	on a function of the package, func(*T) V or func(*T) []V for a root type T
//	  +index:func:name=N            ByN(v): the objects for which it returns v
//	                                (unique and ordered as below)
//	options of an index
//	  unique=true                   one object a value is expected: ByN(v) returns it,
//	                                of several that with the lowest key; ByNAll(v)
//	                                yields all; ByNConflicts() tells which have several
//	  ordered=true                  also, in order, ByNRange(from, to), which leaves out
//	                                to, and ByNFrom(from); and MinN() and MaxN(), which
//	                                return (*T, bool): the object with the lowest or
//	                                highest value, of several that with the lowest
//	                                key; false if no object has a value
//
// Paths use JSON names, of protobuf types those of YAML (credentialName) or of the
// json tag (credential_name): .spec.nodeName, .spec.volumes[*].name (every element of a
// list, every value of a map), .metadata.labels['app'] (one key of a map),
// .status.conditions[?(@.type=="Ready")].status (elements with that text). A list
// at the end of a path is indexed by each of its elements. A nil pointer or an
// absent key on the way means that the object has no value; a field that is not a
// pointer is indexed by its zero value too. In paths={P,Q}, paths that share a
// [*] are taken from the same element, others are combined.
//
// The lister's Index() has the handle of each index, by the same name: ByN.Is(v) is a
// query to combine with others by store.AllOf, store.AnyOf and Except, and to Watch;
// ByN.Count and ByN.Values tell how many objects have a value, and which there are.
//
// Options are separated by commas. A value in double quotes or backquotes may have
// any character.
//
// A value keeps its Go type. Strings and numbers have an order; keys of several
// paths are ordered by the first, then the second, and so on. Booleans, integers,
// strings, types made of them, arrays, and structs of all these can be indexed.
// Refused are floats, and pointers, interfaces, lists, maps and functions inside a
// key.
//
// Times and quantities, on which == is not equality, become keys of the runtime's,
// package canonical: queries take a time.Time or a resource.Quantity. Two times are
// the same if the instant is, whatever the zone; a zero time is not set, and has no
// key. Two quantities are the same if the amount is, as 1 and 1000m. Both have an
// order, and can be parts of paths={P,Q}; ranges over these are bounded by key
// structs, whose fields canonical.TimeOf and canonical.QuantityOf make. A metav1.Duration
// is asked for as the time.Duration in it, and has its order.
//
// # Types that are not yours
//
// Markers stand on an alias:
//
//	// +index:name=Node,path=.spec.nodeName
//	type Pod = corev1.Pod
//
// Group, version, resource and scope are those that the package of the type says;
// +groupName, +versionName and +kubebuilder:resource in the comment of the alias
// hold instead, as they do above a slim type, which most likely stands for one of
// another group. An alias without a marker is left alone. Without the =, the type is
// one of its own, in the group of its own package: it needs +kubebuilder:object:root,
// +genclient or a list type, which say that it is served there.
//
// Markers count in the packages that are named and in those of the same modules that
// these import: to have them count in another module of yours, of a go.work or a replace
// directive, name its package in the run too, or run indexer-gen there.
//
// # Group, version, resource and scope
//
// They come from what projects have already. The group is that of +groupName, of the
// variable GroupVersion, of SchemeGroupVersion or, if none of these says it, of the
// constant GroupName; the version that of +versionName, of the variables in the same
// order or, if there are none, the package's name, where that is like v1beta1. The first
// that there is counts, and it is an error if another one disagrees, or if a variable
// would have to be computed to tell the group or the version. Values may stand in quotes.
//
// Resource and scope come from +kubebuilder:resource:path=,scope=,
// +genclient:nonNamespaced and +resourceName. Of several +kubebuilder:resource above one
// type the last counts, as in controller-gen: its scope, which without scope= is
// Namespaced, and the last path= that there is. The resource is the English plural
// of the kind by default, the same as controller-gen's. Above a type with +index markers
// it is an error if these disagree, and if +genclient:noVerbs or its like say that the
// type cannot be listed and watched, or +kubebuilder:unservedversion that its version is
// not served: an informer would never sync. +kubebuilder:skipversion and, of a package,
// +kubebuilder:skip keep a type out of the CRDs that controller-gen writes; a marked type
// is emitted all the same, for an aggregated API server or the CRD of another project may
// serve it. An alias of metav1.PartialObjectMetadata has to say group, version and path.
//
// With -all, if a package marks types with +kubebuilder:object:root or +genclient,
// only those count, and only those that can be listed and watched. Left out are the
// internal version of an API server's types, types of +kubebuilder:unservedversion, and,
// without +genclient, those of +kubebuilder:skipversion and +kubebuilder:skip.
//
// # Files that the build leaves out
//
// Packages are read as the go command builds them, by GOOS, GOARCH, CGO_ENABLED and the
// tags of GOFLAGS. A marker in a file that is left out is an error if other markers of its
// package count, or if the package is named; a pattern like ./... passes over a package
// all of whose markers are in such files. What one platform declares as another does, and
// marks in the same words, is no error, nor is a file that is never built, for the tag
// ignore.
//
// # JSON
//
// With -json standard output has one object a line. If something is wrong there is
// one for each error, in the order of files and lines, and the exit code is 1:
//
//	file     path, relative to the working directory if below it; absent if no
//	         file is to blame
//	line     from 1; absent if no line is to blame
//	column   from 1, in bytes; absent with line, and after a //line comment that
//	         has none
//	message  what is wrong, and the way out
//
// Otherwise there is one for each file, in the order of paths, also with -check and
// -dry-run:
//
//	file     path, as above
//	status   unchanged, written or removed; with -check and -dry-run, which write
//	         nothing: unchanged, stale or left-over, for which no type is emitted
//	         any more
//	types    how many types the file has code for
//	indexes  how many indexes these have
//	diff     unified, from what is there to what should be; only with -check, and
//	         absent if the file is unchanged
//
// An object with message is an error, any other a file. Members may be added; none
// changes its name or meaning. explain -format json prints one array, whose members
// are those of generator.RootType; explain -json does that too, and prints errors as
// above.
//
// # Exit codes
//
//	0  done; with -check: nothing is stale
//	1  the input has errors, all of which are printed, and nothing was written;
//	   or -check found a stale file, whose diff is printed
//	2  the command line is wrong
package main
