// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin

import corev1 "k8s.io/api/core/v1"

// Event is found by the object that it is about: by kind, namespace and name, or by
// UID if those of an earlier object of that name are not meant; and by who says what.
//
// +index:name=InvolvedObject,paths={.involvedObject.kind,.involvedObject.namespace,.involvedObject.name}
// +index:name=InvolvedUID,path=.involvedObject.uid
// +index:name=Reason,path=.reason
// +index:name=Type,path=.type
// +index:name=Component,path=.source.component
// +index:name=LastSeen,path=.lastTimestamp,ordered=true
type Event = corev1.Event
