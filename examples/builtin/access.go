// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin

import rbacv1 "k8s.io/api/rbac/v1"

// RoleBinding is indexed by its subjects and by its role. The namespace of a
// subject is empty unless it is a ServiceAccount.
//
// +index:name=Subject,paths={.subjects[*].kind,.subjects[*].namespace,.subjects[*].name}
// +index:name=Role,paths={.roleRef.kind,.roleRef.name}
type RoleBinding = rbacv1.RoleBinding

// ClusterRoleBinding is indexed by its subjects and by its role, which is a
// ClusterRole.
//
// +index:name=Subject,paths={.subjects[*].kind,.subjects[*].namespace,.subjects[*].name}
// +index:name=Role,path=.roleRef.name
type ClusterRoleBinding = rbacv1.ClusterRoleBinding
