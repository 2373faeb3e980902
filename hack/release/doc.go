// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command release tags all modules of the repository with one version. Run it in hack:
//
//	go run ./release -prepare v0.2.0   # sets the version in every go.mod
//	go run ./release v0.2.0            # checks, and lists the tags
//	go run ./release -tag v0.2.0       # checks, and creates the tags
//
// A release is one version of every module: v0.2.0 for the generator,
// runtime/v0.2.0, runtime/kubeconn/v0.2.0 and so on. Module hack is not released. The
// modules require each other at that version, because users do not see the replace
// directives that a clone builds with.
//
// The steps are: write a section for the version in CHANGELOG.md, run -prepare, commit, let
// .ci/run, hack/test-floors.sh, hack/test-floors.sh -unsent and hack/test-controller-runtime.sh
// pass on a fresh clone, run -tag, and push the tags all together.
//
// The command refuses to tag if
//
//   - the version is not canonical, or not higher than every released one;
//   - the working tree has changes;
//   - CHANGELOG.md has no section for the version;
//   - a module requires another one at a different version;
//   - a replace directive points outside the repository, or stands in a module that is
//     installed with go install.
package main
