// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package untyped reads and writes typed stores and informers as [metav1.Object]. Use it in code that
// learns the type of the objects at run time, such as an adapter to the interfaces of another library.
//
// An adapter gets an object of some type and needs the store of that type. A generic function cannot be
// instantiated at run time, so the program calls [Register] for each type whose typed store it reads. [New]
// then makes the same typed informer and store that emitted code makes. For other types it makes a store of
// metav1.Object, which holds objects of any type.
//
// The adapter adds one conversion between interfaces for each object. It adds no copy and no lock.
package untyped
