// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package samplecontroller

import (
	appsv1 "k8s.io/api/apps/v1"
	samplev1alpha1 "k8s.io/sample-controller/pkg/apis/samplecontroller/v1alpha1"
)

// Foo is sample-controller's own type.
//
// +groupName=samplecontroller.k8s.io
// +versionName=v1alpha1
// +index:name=Deployment,path=.spec.deploymentName
type Foo = samplev1alpha1.Foo

// Deployment is the built-in type.
//
// +groupName=apps
// +versionName=v1
// +index:owner
type Deployment = appsv1.Deployment
