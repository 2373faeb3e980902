// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin

import corev1 "k8s.io/api/core/v1"

// Event is indexed by the object that it is about, and by reason, type and component. The
// UID tells objects apart that had the same name one after the other.
//
// +index:name=InvolvedObject,paths={.involvedObject.kind,.involvedObject.namespace,.involvedObject.name}
// +index:name=InvolvedUID,path=.involvedObject.uid
// +index:name=Reason,path=.reason
// +index:name=Type,path=.type
// +index:name=Component,path=.source.component
// +index:name=LastSeen,path=.lastTimestamp,ordered=true
type Event = corev1.Event
