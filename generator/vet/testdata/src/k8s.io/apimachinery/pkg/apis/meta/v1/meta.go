package v1

import "k8s.io/apimachinery/pkg/runtime/schema"

type OwnerReference struct{ Name string }

type Time struct{ seconds *int }

type Object interface {
	GetName() string
	SetName(string)
	GetResourceVersion() string
	SetResourceVersion(string)
	GetLabels() map[string]string
	SetLabels(map[string]string)
	GetAnnotations() map[string]string
	SetAnnotations(map[string]string)
	GetFinalizers() []string
	SetFinalizers([]string)
}

type TypeMeta struct{ Kind, APIVersion string }

func (t *TypeMeta) GetObjectKind() schema.ObjectKind              { return t }
func (t *TypeMeta) SetGroupVersionKind(k schema.GroupVersionKind) { t.Kind = k.Kind }
func (t *TypeMeta) GroupVersionKind() (k schema.GroupVersionKind) { return k }

type ObjectMeta struct {
	Name, ResourceVersion string
	Labels, Annotations   map[string]string
	Finalizers            []string
	OwnerReferences       []OwnerReference
	CreationTimestamp     Time
}

func (m *ObjectMeta) GetName() string                    { return m.Name }
func (m *ObjectMeta) SetName(s string)                   { m.Name = s }
func (m *ObjectMeta) GetResourceVersion() string         { return m.ResourceVersion }
func (m *ObjectMeta) SetResourceVersion(s string)        { m.ResourceVersion = s }
func (m *ObjectMeta) GetLabels() map[string]string       { return m.Labels }
func (m *ObjectMeta) SetLabels(l map[string]string)      { m.Labels = l }
func (m *ObjectMeta) GetAnnotations() map[string]string  { return m.Annotations }
func (m *ObjectMeta) SetAnnotations(l map[string]string) { m.Annotations = l }
func (m *ObjectMeta) GetFinalizers() []string            { return m.Finalizers }
func (m *ObjectMeta) SetFinalizers(f []string)           { m.Finalizers = f }
