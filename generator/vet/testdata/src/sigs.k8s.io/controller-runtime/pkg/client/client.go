package client

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Object interface {
	metav1.Object
	runtime.Object
}

type ObjectList interface{ runtime.Object }

type ObjectKey struct{ Name string }

type ListOptions struct{ UnsafeDisableDeepCopy *bool }

func (*ListOptions) ApplyToList(*ListOptions) {}

type ListOption interface{ ApplyToList(*ListOptions) }

type UnsafeDisableDeepCopyOption bool

func (UnsafeDisableDeepCopyOption) ApplyToList(*ListOptions) {}

const UnsafeDisableDeepCopy = UnsafeDisableDeepCopyOption(true)

type InNamespace string

func (InNamespace) ApplyToList(*ListOptions) {}

type Reader interface {
	Get(ctx context.Context, key ObjectKey, obj Object) error
	List(ctx context.Context, list ObjectList, opts ...ListOption) error
}

type Writer interface {
	Update(ctx context.Context, obj Object) error
	Delete(ctx context.Context, obj Object) error
}

type StatusWriter interface {
	Update(ctx context.Context, obj Object) error
}

type Client interface {
	Reader
	Writer
	Status() StatusWriter
}
