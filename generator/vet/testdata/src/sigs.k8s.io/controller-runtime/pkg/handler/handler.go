package handler

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Request struct{ Name string }

type MapFunc = TypedMapFunc[client.Object, Request]

type TypedMapFunc[object any, request comparable] func(context.Context, object) []request

func EnqueueRequestsFromMapFunc(fn MapFunc) any { return nil }
