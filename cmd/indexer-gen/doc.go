// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command indexer-gen writes typed listers, indexers and informers for Kubernetes API types. Markers
// beside the types select the indexes.
//
//	indexer-gen [flags] [packages]
//	indexer-gen explain [-format text|json|mermaid] [flags] [packages]
//	indexer-gen migrate [-write directory [-fix | -diff]] [-json] [packages]
//	indexer-gen vet [flags] [packages]
//	indexer-gen help [explain | migrate | vet | +marker | manual]
//
// Packages are named as for the go command. The default is the package in the working directory. For
// each package with types to emit, indexer-gen writes zz_generated.indexers.go beside the types, but
// only if its content changes:
//
//	//go:generate go run -mod=mod github.com/indexer-gen/indexer-gen/cmd/indexer-gen@version .
//
// If a package has no types to emit any more, its emitted file is removed; -check reports it as
// stale. A run that has nothing to emit or remove is an error. A file that does not begin as
// emitted files do is left alone. Anything but a regular file in its place is an error.
//
// Standard error has one line with counts and times, and what go.mod, go.sum or the vendor directory
// lacks for the new code. Standard output names removed files. It is empty otherwise, unless a flag asks for more.
//
// explain writes no files. It lists the root types of the packages with group, version, resource and
// scope, and their indexes with paths, Go types and methods. The methods are those for the first -target.
//
// migrate runs the index functions that the packages add to caches of client-go and controller-runtime, and lists the
// markers that replace them. With -write it writes the markers above aliases in a directory, generates code there, and
// writes tests with the keys that the functions returned. docs/migrate.md describes it.
//
// vet runs go vet with analyzers that find writes to objects of a cache, and handlers of deletions that panic on
// tombstones or ignore them. docs/vet.md describes it.
//
// # Flags
//
//	-all
//	      generate for every root type, not only for marked ones; in a package that marks
//	      types with +kubebuilder:object:root or +genclient, only for those that can be
//	      listed and watched
//	-check
//	      write nothing; print a diff and exit with 1 if a file is stale
//	-header file
//	      begin emitted files with the comments in this file; file,year=Y replaces YEAR by Y
//	-json
//	      print the errors, or else the status of each file, as JSON on standard output,
//	      one object per line
//	-o directory
//	      write to this directory, as a package of its own, instead of beside the types;
//	      {path} stands for the path of the types' package in its module
//	-package name
//	      with -o, the name of the emitted package (default: that of the directory)
//	-target caches
//	      emit code for these caches, separated by commas: native, client-go, controller-runtime
//	      (default native)
//	-version
//	      print the version
//
// # Check
//
// -check takes the same flags as the run that wrote the files, and prints what differs. If packages
// have different options, write a command for each into a script that passes its arguments on, and
// run that script with -check in CI:
//
//	indexer-gen "$@" -header hack/header.txt ./api/...
//	indexer-gen "$@" -all -o internal/nodes k8s.io/api/core/v1
//
// A file written with -o names the package of its types below the line that says that it is
// generated. A run for other types neither replaces nor removes it.
//
// # Markers
//
//	+index                        ByN(v) yields the objects that have v in the field or, on a root
//	                              type, at the path (on a type, an alias or a field)
//	  name=N                      the method's name after By, or all of it for a state; on a field,
//	                              by default the name of the field
//	  path=.spec.field            on a root type: the JSON path of the value
//	  paths={.spec.a,.spec.b}     on a root type: the paths of a composite key; ByN(p, q) takes a
//	                              value for each
//	  value="text"                of a state, which has if= and no path: its key in caches of other
//	                              projects; by default "true"
//	  omitempty=true              objects with the zero value are not indexed
//	  if=.spec.type=="A"          only objects that satisfy the condition are indexed; if={A,B} is
//	                              for both
//	  else=.spec.field            the value if the path has none or only the empty string: a path,
//	                              or a literal
//	  unique=true                 one object per value: ByN returns it and true, or false; also
//	                              ByNAll and ByNConflicts
//	  ordered=true                adds ByNRange(from, to), which excludes to, ByNFrom(from), MinN()
//	                              and MaxN()
//	  indexName="text"            the name of the index in caches of other projects
//	  format="text"               the text of a key of several parts in caches of other projects,
//	                              with a %s for each part
//	+index:generate               lister, indexer and informer without further indexes (on a type
//	                              or an alias)
//	+index:owner                  ByOwner(uid) and ByController(uid) (on a type or an alias)
//	+index:labels                 ByLabel(key, value); List(selector) uses the index (on a type or
//	                              an alias)
//	+index:ref                    ByN(types.NamespacedName), or ByN(name) for a cluster-scoped
//	                              target, yields the objects that refer to that object (on a type,
//	                              an alias or a field)
//	  name=N                      the method's name after By; on a field, by default the name of
//	                              the field
//	  path=.spec.field            on a root type: the path of a struct that refers, or of the
//	                              target's name
//	  to=Kind.group               the target's kind and group, or only the kind for the core group;
//	                              references to other kinds are left out; * is for all kinds, and
//	                              ByN(kind, key) takes one
//	  absent=Kind.group           the kind and group that an absent kind and group mean, if no
//	                              default says it
//	  scope=Cluster               the target's scope, Cluster or Namespaced, if its type is neither
//	                              loaded nor of k8s.io/api; beside to=*, that of all targets
//	  namespacePath=.spec.field   the path of the target's namespace; if absent or empty, the
//	                              object's own namespace
//	  if=.spec.type=="A"          only objects that satisfy the condition are indexed; if={A,B} is
//	                              for both
//	  else=.spec.field            the value if the path has none or only the empty string: a path,
//	                              or a literal
//	  unique=true                 one object per value: ByN returns it and true, or false; also
//	                              ByNAll and ByNConflicts
//	  indexName="text"            the name of the index in caches of other projects
//	  format="text"               the text of a key of several parts in caches of other projects,
//	                              with a %s for each part
//	+index:func                   ByN(v) yields the objects for which func(*T) V or func(*T) []V
//	                              returns v (on a function)
//	  name=N                      the method's name after By
//	  unique=true                 one object per value: ByN returns it and true, or false; also
//	                              ByNAll and ByNConflicts
//	  ordered=true                adds ByNRange(from, to), which excludes to, ByNFrom(from), MinN()
//	                              and MaxN()
//	  indexName="text"            the name of the index in caches of other projects
//	+kubebuilder:selectablefield  an index of the field, as if it were marked with +index (on a
//	                              type or an alias)
//	  JSONPath=.spec.field        the JSON path of the field
//
// A marker is a comment line of its own in a doc comment, or right above it. A root type embeds
// metav1.TypeMeta and metav1.ObjectMeta, or metadata of package slim of the runtime; or it has the
// methods of metav1.Object, and source.Map makes its objects. A field can be
// marked at any depth below a root type. A function takes the root type: func(*T) V or func(*T) []V.
// Mark types of other packages on an alias, as in type Pod = corev1.Pod. Separate options with commas,
// and quote a value with double quotes or backquotes if it contains one.
//
// Paths use JSON names: .spec.nodeName, .spec.volumes[*].name (all elements of a list or values of a
// map), .metadata.labels['app'] (one key of a map) and .status.conditions[?(@.type=="Ready")].status
// (the elements with that text). A list at the end of a path is indexed by its elements. An object has
// no value if the path meets a nil pointer or an absent key. With paths={P,Q}, paths that share a [*]
// are taken from the same element, and others are combined.
//
// The lister's method Handles returns the index handles, for combined queries, counts and watches.
//
// docs/markers.md has the types of keys, where group, version, resource and scope are read from, and
// the rules for types of other packages and for build constraints.
//
// # JSON
//
// With -json, standard output has one object on each line. If something is wrong, there is one for
// each error, in the order of files and lines, and the exit code is 1:
//
//	file     path, relative to the working directory if below it; absent if the
//	         error is in no file
//	line     from 1; absent if the error is on no line
//	column   from 1, in bytes; absent with line, and after a //line comment without
//	         a column
//	message  the error and its remedy
//
// Otherwise there is one for each file, in the order of paths, also with -check:
//
//	file     path, as above
//	status   unchanged, written or removed; with -check: unchanged, stale or left-over
//	         (no type is emitted any more)
//	types    number of types in the file
//	indexes  number of indexes of these types
//	diff     unified diff to the new content; only with -check, and absent if the
//	         file is unchanged
//
// An object with message is an error, any other a file. Members may be added, but none changes its
// name or meaning. explain -format json prints one array; its members are those of
// generator.RootType. explain -json prints errors as above, too.
//
// # Exit codes
//
//	0  done; with -check: nothing is stale
//	1  the input has errors and nothing was written; or -check found a stale file
//	2  the command line is wrong
package main
