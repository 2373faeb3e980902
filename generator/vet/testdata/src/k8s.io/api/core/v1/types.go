package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Pod struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   PodSpec
	Status PodStatus
}

type PodSpec struct {
	NodeName   string
	Containers []Container
	Security   *Security
}

type Security struct{ User int }

type Container struct {
	Image string
	Env   map[string]string
}

type PodStatus struct {
	Phase      string
	Conditions []Condition
	Started    *metav1.Time
}

type Condition struct{ Type, Status string }

type PodList struct {
	metav1.TypeMeta
	Items []Pod
}

func (p *Pod) DeepCopy() *Pod                     { c := *p; return &c }
func (p *Pod) DeepCopyInto(out *Pod)              { *out = *p }
func (p *Pod) DeepCopyObject() runtime.Object     { return p.DeepCopy() }
func (p *PodSpec) DeepCopy() *PodSpec             { c := *p; return &c }
func (l *PodList) DeepCopyObject() runtime.Object { return l }
