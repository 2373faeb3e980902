// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Capability is something that a device can do.
// +kubebuilder:validation:Enum=camera;lidar;lte;gpu
type Capability string

// What devices can do.
const (
	Camera Capability = "camera"
	Lidar  Capability = "lidar"
	LTE    Capability = "lte"
	GPU    Capability = "gpu"
)

// DevicePhase is where a device is in its life.
// +kubebuilder:validation:Enum=Provisioning;Online;Offline
type DevicePhase string

// The phases of a device.
const (
	DeviceProvisioning DevicePhase = "Provisioning"
	DeviceOnline       DevicePhase = "Online"
	DeviceOffline      DevicePhase = "Offline"
)

// Firmware is what runs on a device.
type Firmware struct {
	// +index:name=Firmware
	Version string `json:"version"`
	// +kubebuilder:default=stable
	Channel string `json:"channel,omitempty"`
}

// DeviceSpec is the desired state of a Device.
type DeviceSpec struct {
	// Site is the name of the Site that the device stands in.
	// +index
	Site  string `json:"site"`
	Model string `json:"model"`
	// +index:name=Capability
	// +listType=set
	Capabilities []Capability `json:"capabilities,omitempty"`
	// Firmware is nil for a device that takes whatever its model ships with.
	Firmware *Firmware `json:"firmware,omitempty"`
}

// DeviceStatus is the observed state of a Device.
type DeviceStatus struct {
	// +index
	Phase DevicePhase `json:"phase,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Device is one machine of the fleet.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=dev
// +kubebuilder:printcolumn:name=Site,type=string,JSONPath=`.spec.site`
// +kubebuilder:printcolumn:name=Phase,type=string,JSONPath=`.status.phase`
// +index:name=SitePhase,paths={.spec.site,.status.phase}
// +index:owner
type Device struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DeviceSpec   `json:"spec"`
	Status DeviceStatus `json:"status,omitempty"`
}

// DeviceList is a list of devices.
//
// +kubebuilder:object:root=true
type DeviceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Device `json:"items"`
}
