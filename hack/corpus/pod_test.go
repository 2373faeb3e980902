// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// pod is much like those of a Deployment in a cluster.
func pod(i int) corev1.Pod {
	app, at := fmt.Sprintf("app-%d", i%50), metav1.NewTime(time.Unix(1767225600+int64(i), 0))
	yes := true
	p := corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: fmt.Sprintf("ns-%d", i%20), Name: fmt.Sprintf("%s-7c9f8d6b5-%05d", app, i), GenerateName: app + "-7c9f8d6b5-",
			UID: types.UID(fmt.Sprintf("6ba7b810-9dad-11d1-80b4-%012d", i)), ResourceVersion: fmt.Sprint(100000 + i), CreationTimestamp: at,
			Labels:      map[string]string{"app": app, "pod-template-hash": "7c9f8d6b5", "tier": "backend"},
			Annotations: map[string]string{"prometheus.io/scrape": "true", "checksum/config": fmt.Sprintf("%064d", i%50)},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: app + "-7c9f8d6b5",
				UID: types.UID(
					fmt.Sprintf("16fd2706-8baf-433b-82eb-%012d", i%50),
				), Controller: &yes, BlockOwnerDeletion: &yes,
			}},
			ManagedFields: []metav1.ManagedFieldsEntry{
				{
					Manager:    "kube-controller-manager",
					Operation:  "Update",
					APIVersion: "v1",
					Time:       &at,
					FieldsType: "FieldsV1",
					FieldsV1:   &metav1.FieldsV1{Raw: []byte(managed)},
				},
				{
					Manager:     "kubelet",
					Operation:   "Update",
					APIVersion:  "v1",
					Time:        &at,
					FieldsType:  "FieldsV1",
					Subresource: "status",
					FieldsV1:    &metav1.FieldsV1{Raw: []byte(managedStatus)},
				},
			},
		},
		Spec: corev1.PodSpec{
			NodeName: fmt.Sprintf(
				"node-%d",
				i%100,
			), ServiceAccountName: "default", RestartPolicy: "Always", DNSPolicy: "ClusterFirst", SchedulerName: "default-scheduler",
			TerminationGracePeriodSeconds: new(int64(30)), EnableServiceLinks: &yes, Priority: new(int32(0)),
			Volumes: []corev1.Volume{
				{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: app + "-config"}, DefaultMode: new(int32(420))}}},
				{Name: fmt.Sprintf("kube-api-access-%05d", i), VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{DefaultMode: new(int32(420)), Sources: []corev1.VolumeProjection{
					{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: new(int64(3607)), Path: "token"}},
					{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"}, Items: []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}}}},
				}}}},
			},
			Tolerations: []corev1.Toleration{
				{
					Key:               "node.kubernetes.io/not-ready",
					Operator:          "Exists",
					Effect:            "NoExecute",
					TolerationSeconds: new(int64(300)),
				},
				{
					Key:               "node.kubernetes.io/unreachable",
					Operator:          "Exists",
					Effect:            "NoExecute",
					TolerationSeconds: new(int64(300)),
				},
			},
			Containers: []corev1.Container{{
				Name: "main", Image: "registry.example.com/team/" + app + ":v1.2.3", Args: []string{"--config=/etc/config/app.yaml", "--v=2"},
				Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: "TCP"}},
				Env: []corev1.EnvVar{
					{
						Name: "POD_NAME",
						ValueFrom: &corev1.EnvVarSource{
							FieldRef: &corev1.ObjectFieldSelector{
								APIVersion: "v1",
								FieldPath:  "metadata.name",
							},
						},
					},
					{Name: "LOG_LEVEL", Value: "info"},
					{Name: "REGION", Value: "eu-central-1"},
				},
				Resources: corev1.ResourceRequirements{
					Limits: corev1.ResourceList{
						"cpu":    resource.MustParse("500m"),
						"memory": resource.MustParse("256Mi"),
					},
					Requests: corev1.ResourceList{
						"cpu":    resource.MustParse("100m"),
						"memory": resource.MustParse("128Mi"),
					},
				},
				VolumeMounts: []corev1.VolumeMount{
					{Name: "config", MountPath: "/etc/config"},
					{
						Name:      fmt.Sprintf("kube-api-access-%05d", i),
						ReadOnly:  true,
						MountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
					},
				},
				ReadinessProbe: &corev1.Probe{
					ProbeHandler: corev1.ProbeHandler{
						HTTPGet: &corev1.HTTPGetAction{
							Path:   "/ready",
							Port:   intstr.FromInt32(8080),
							Scheme: "HTTP",
						},
					},
					TimeoutSeconds:   1,
					PeriodSeconds:    10,
					SuccessThreshold: 1,
					FailureThreshold: 3,
				},
				TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: "File", ImagePullPolicy: "IfNotPresent",
			}},
		},
		Status: corev1.PodStatus{
			Phase: "Running", HostIP: fmt.Sprintf("10.0.0.%d", i%100), PodIP: fmt.Sprintf("10.1.%d.%d", i/250, i%250), StartTime: &at, QOSClass: "Burstable",
			PodIPs: []corev1.PodIP{{IP: fmt.Sprintf("10.1.%d.%d", i/250, i%250)}},
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "main", Ready: true, Started: &yes, Image: "registry.example.com/team/" + app + ":v1.2.3",
				ImageID: fmt.Sprintf("registry.example.com/team/%s@sha256:%064d", app, i%50),
				ContainerID: fmt.Sprintf(
					"containerd://%064d",
					i,
				), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}},
			}},
		},
	}
	for _, kind := range []corev1.PodConditionType{"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"} {
		p.Status.Conditions = append(
			p.Status.Conditions,
			corev1.PodCondition{Type: kind, Status: "True", LastTransitionTime: at},
		)
	}
	return p
}

const (
	managed       = `{"f:metadata":{"f:annotations":{".":{},"f:checksum/config":{},"f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{},"f:tier":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"16fd2706-8baf-433b-82eb-8c7fada847da\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:args":{},"f:env":{".":{},"k:{\"name\":\"LOG_LEVEL\"}":{".":{},"f:name":{},"f:value":{}},"k:{\"name\":\"REGION\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{},"f:protocol":{}}},"f:readinessProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"f:periodSeconds":{},"f:successThreshold":{},"f:timeoutSeconds":{}},"f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/etc/config\"}":{".":{},"f:mountPath":{},"f:name":{}}}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{},"f:volumes":{".":{},"k:{\"name\":\"config\"}":{".":{},"f:configMap":{".":{},"f:defaultMode":{},"f:name":{}},"f:name":{}}}}}`
	managedStatus = `{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.1.0.1\"}":{".":{},"f:ip":{}}},"f:startTime":{}}}`
)
