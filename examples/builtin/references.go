// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// within returns keys of the names in a namespace. A name that is not set is left
// out: nothing is referred to by it.
func within(namespace string, names []string) []types.NamespacedName {
	keys := make([]types.NamespacedName, 0, len(names))
	for _, name := range names {
		if name != "" {
			keys = append(keys, types.NamespacedName{Namespace: namespace, Name: name})
		}
	}
	return keys
}

// claims names the PersistentVolumeClaims that a Pod of this spec mounts, but for
// those of ephemeral volumes, which are made for the single Pod.
func claims(spec *corev1.PodSpec) []string {
	var names []string
	for i := range spec.Volumes {
		if c := spec.Volumes[i].PersistentVolumeClaim; c != nil {
			names = append(names, c.ClaimName)
		}
	}
	return names
}

// secrets names the Secrets that a Pod of this spec needs: for images, volumes and
// environment variables. A name may come more than once.
func secrets(spec *corev1.PodSpec) []string {
	var names []string
	for _, pull := range spec.ImagePullSecrets {
		names = append(names, pull.Name)
	}
	for i := range spec.Volumes {
		names = volumeSecrets(names, &spec.Volumes[i].VolumeSource)
	}
	for from, env := range environments(spec) {
		for i := range from {
			if ref := from[i].SecretRef; ref != nil {
				names = append(names, ref.Name)
			}
		}
		for i := range env {
			if v := env[i].ValueFrom; v != nil && v.SecretKeyRef != nil {
				names = append(names, v.SecretKeyRef.Name)
			}
		}
	}
	return names
}

// volumeSecrets appends the names of the Secrets in the Pod's namespace that a
// volume shows or is mounted with.
func volumeSecrets(names []string, v *corev1.VolumeSource) []string {
	var local *corev1.LocalObjectReference
	switch {
	case v.Secret != nil:
		return append(names, v.Secret.SecretName)
	case v.AzureFile != nil:
		return append(names, v.AzureFile.SecretName)
	case v.Projected != nil:
		for i := range v.Projected.Sources {
			if s := v.Projected.Sources[i].Secret; s != nil {
				names = append(names, s.Name)
			}
		}
	case v.CSI != nil:
		local = v.CSI.NodePublishSecretRef
	case v.CephFS != nil:
		local = v.CephFS.SecretRef
	case v.FlexVolume != nil:
		local = v.FlexVolume.SecretRef
	case v.ISCSI != nil:
		local = v.ISCSI.SecretRef
	case v.RBD != nil:
		local = v.RBD.SecretRef
	case v.ScaleIO != nil:
		local = v.ScaleIO.SecretRef
	case v.StorageOS != nil:
		local = v.StorageOS.SecretRef
	}
	if local != nil {
		names = append(names, local.Name)
	}
	return names
}

// configMaps names the ConfigMaps that a Pod of this spec needs: for volumes and
// environment variables. A name may come more than once.
func configMaps(spec *corev1.PodSpec) []string {
	var names []string
	for i := range spec.Volumes {
		v := &spec.Volumes[i].VolumeSource
		if v.ConfigMap != nil {
			names = append(names, v.ConfigMap.Name)
		}
		if v.Projected == nil {
			continue
		}
		for j := range v.Projected.Sources {
			if c := v.Projected.Sources[j].ConfigMap; c != nil {
				names = append(names, c.Name)
			}
		}
	}
	for from, env := range environments(spec) {
		for i := range from {
			if ref := from[i].ConfigMapRef; ref != nil {
				names = append(names, ref.Name)
			}
		}
		for i := range env {
			if v := env[i].ValueFrom; v != nil && v.ConfigMapKeyRef != nil {
				names = append(names, v.ConfigMapKeyRef.Name)
			}
		}
	}
	return names
}

// environments yields where each container, init and ephemeral ones included, has
// its environment variables from.
func environments(spec *corev1.PodSpec) iter.Seq2[[]corev1.EnvFromSource, []corev1.EnvVar] {
	return func(yield func([]corev1.EnvFromSource, []corev1.EnvVar) bool) {
		for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
			for i := range containers {
				if !yield(containers[i].EnvFrom, containers[i].Env) {
					return
				}
			}
		}
		for i := range spec.EphemeralContainers {
			if c := &spec.EphemeralContainers[i]; !yield(c.EnvFrom, c.Env) {
				return
			}
		}
	}
}
