package event

import "sigs.k8s.io/controller-runtime/pkg/client"

type UpdateEvent = TypedUpdateEvent[client.Object]

type TypedUpdateEvent[object any] struct{ ObjectOld, ObjectNew object }

type GenericEvent = TypedGenericEvent[client.Object]

type TypedGenericEvent[object any] struct{ Object object }
