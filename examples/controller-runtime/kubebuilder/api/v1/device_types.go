// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// DeviceSpec is the desired state of a Device.
type DeviceSpec struct {
	// ConfigMap has the settings of the device. It is in the same namespace.
	// +index
	ConfigMap string `json:"configMap"`
}

// DeviceStatus is the observed state of a Device.
type DeviceStatus struct {
	// Mode is the mode in the device's ConfigMap.
	// +optional
	Mode string `json:"mode,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// Device is a device of the fleet.
type Device struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DeviceSpec   `json:"spec"`
	Status DeviceStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// DeviceList is a list of Devices.
type DeviceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Device `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Device{}, &DeviceList{})
}
