// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package pod holds the Pods that package syncbench measures with. They have about 6 KB in JSON, as the
// API server returns them, of which a third is managedFields.
package pod

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Resource is that of Pods.
var Resource = corev1.SchemeGroupVersion.WithResource("pods")

// Namespaces is over how many namespaces Make spreads Pods.
const Namespaces = 200

// apps is the number of different Pod templates.
const apps = 500

// Key returns namespace and name of the i-th Pod.
func Key(i int) (namespace, name string) {
	return fmt.Sprintf("ns-%d", i%Namespaces), fmt.Sprintf("app-%d-7c9f8d6b5-%06d", i%apps, i)
}

// Make returns the JSON of the i-th Pod, much like one of a Deployment, as a client would create it.
func Make(i int) []byte {
	namespace, name := Key(i)
	app, at, address := fmt.Sprintf("app-%d", i%apps), metav1.Unix(1767225600+int64(i), 0), address(i)
	p := corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, GenerateName: app + "-7c9f8d6b5-",
			Labels: map[string]string{"app": app, "pod-template-hash": "7c9f8d6b5", "tier": "backend"},
			Annotations: map[string]string{
				"prometheus.io/scrape": "true", "checksum/config": fmt.Sprintf("%064d", i%apps),
			},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: app + "-7c9f8d6b5",
				UID:        types.UID(fmt.Sprintf("16fd2706-8baf-433b-82eb-%012d", i%apps)),
				Controller: new(true), BlockOwnerDeletion: new(true),
			}},
		},
		Spec: spec(i, app),
		Status: corev1.PodStatus{
			Phase: "Running", HostIP: fmt.Sprintf("10.0.%d.%d", i%nodes/250, i%nodes%250), PodIP: address,
			PodIPs: []corev1.PodIP{{IP: address}}, StartTime: &at, QOSClass: "Burstable",
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "main", Ready: true, Started: new(true), Image: image(app),
				ImageID:     fmt.Sprintf("registry.example.com/team/%s@sha256:%064d", app, i%apps),
				ContainerID: fmt.Sprintf("containerd://%064d", i),
				State:       corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}},
			}},
		},
	}
	for _, kind := range []corev1.PodConditionType{
		"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled",
	} {
		p.Status.Conditions = append(p.Status.Conditions,
			corev1.PodCondition{Type: kind, Status: "True", LastTransitionTime: at})
	}
	text, err := json.Marshal(&p)
	if err != nil {
		panic(err) // nothing above can fail to be marshaled
	}
	return text
}

// nodes is the number of nodes that the Pods run on.
const nodes = 1000

func address(i int) string { return fmt.Sprintf("10.%d.%d.%d", 1+i/62500, i/250%250, i%250) }

func image(app string) string { return "registry.example.com/team/" + app + ":v1.2.3" }

// spec returns a PodSpec as the API server stores it, with its defaults.
func spec(i int, app string) corev1.PodSpec {
	return corev1.PodSpec{
		NodeName: fmt.Sprintf("node-%d", i%nodes), ServiceAccountName: "default",
		SchedulerName: "default-scheduler", RestartPolicy: "Always", DNSPolicy: "ClusterFirst", TerminationGracePeriodSeconds: new(int64(30)),
		EnableServiceLinks: new(true), Priority: new(int32(0)),
		Volumes: []corev1.Volume{{Name: "config", VolumeSource: corev1.VolumeSource{
			ConfigMap: &corev1.ConfigMapVolumeSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: app + "-config"},
				DefaultMode:          new(int32(420)),
			},
		}}},
		Tolerations: []corev1.Toleration{toleration("not-ready"), toleration("unreachable")},
		Containers: []corev1.Container{{
			Name: "main", Image: image(app), Args: []string{"--config=/etc/config/app.yaml", "--v=2"},
			Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: "TCP"}},
			Env: []corev1.EnvVar{
				{Name: "POD_NAME", ValueFrom: &corev1.EnvVarSource{
					FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.name"},
				}},
				{Name: "LOG_LEVEL", Value: "info"},
				{Name: "DATABASE_HOST", Value: fmt.Sprintf("db-%d.example.com", i%apps)},
				{Name: "FEATURE_FLAGS", Value: "a=1,b=2,c=3"},
				{Name: "JAVA_OPTS", Value: "-Xmx128m -XX:+UseG1GC"},
				{Name: "REGION", Value: "eu-central-1"},
			},
			Resources: corev1.ResourceRequirements{
				Limits:   resources("500m", "256Mi"),
				Requests: resources("100m", "128Mi"),
			},
			VolumeMounts: []corev1.VolumeMount{{Name: "config", MountPath: "/etc/config"}},
			ReadinessProbe: &corev1.Probe{
				ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
					Path: "/ready", Port: intstr.FromInt32(8080), Scheme: "HTTP",
				}},
				TimeoutSeconds: 1, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3,
			},
			TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: "File",
			ImagePullPolicy: "IfNotPresent",
		}},
	}
}

func toleration(of string) corev1.Toleration {
	return corev1.Toleration{
		Key: "node.kubernetes.io/" + of, Operator: "Exists", Effect: "NoExecute",
		TolerationSeconds: new(int64(300)),
	}
}

func resources(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory)}
}
