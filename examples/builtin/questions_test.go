// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin_test

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/examples/builtin"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

type podReader = store.Reader[types.NamespacedName, *corev1.Pod]

// listers has one of every type.
type listers struct {
	clusterRoleBindings      builtin.ClusterRoleBindingLister
	configMaps               builtin.ConfigMapLister
	cronJobs                 builtin.CronJobLister
	daemonSets               builtin.DaemonSetLister
	deployments              builtin.DeploymentLister
	endpointSlices           builtin.EndpointSliceLister
	events                   builtin.EventLister
	horizontalPodAutoscalers builtin.HorizontalPodAutoscalerLister
	ingresses                builtin.IngressLister
	jobs                     builtin.JobLister
	namespaces               builtin.NamespaceLister
	nodes                    builtin.NodeLister
	persistentVolumeClaims   builtin.PersistentVolumeClaimLister
	persistentVolumes        builtin.PersistentVolumeLister
	pods                     builtin.PodLister
	replicaSets              builtin.ReplicaSetLister
	roleBindings             builtin.RoleBindingLister
	secrets                  builtin.SecretLister
	serviceAccounts          builtin.ServiceAccountLister
	services                 builtin.ServiceLister
	statefulSets             builtin.StatefulSetLister
	volumeAttachments        builtin.VolumeAttachmentLister
}

func all(f *builtin.Informers) listers {
	return listers{
		clusterRoleBindings:      f.ClusterRoleBindings().Lister(),
		configMaps:               f.ConfigMaps().Lister(),
		cronJobs:                 f.CronJobs().Lister(),
		daemonSets:               f.DaemonSets().Lister(),
		deployments:              f.Deployments().Lister(),
		endpointSlices:           f.EndpointSlices().Lister(),
		events:                   f.Events().Lister(),
		horizontalPodAutoscalers: f.HorizontalPodAutoscalers().Lister(),
		ingresses:                f.Ingresses().Lister(),
		jobs:                     f.Jobs().Lister(),
		namespaces:               f.Namespaces().Lister(),
		nodes:                    f.Nodes().Lister(),
		persistentVolumeClaims:   f.PersistentVolumeClaims().Lister(),
		persistentVolumes:        f.PersistentVolumes().Lister(),
		pods:                     f.Pods().Lister(),
		replicaSets:              f.ReplicaSets().Lister(),
		roleBindings:             f.RoleBindings().Lister(),
		secrets:                  f.Secrets().Lister(),
		serviceAccounts:          f.ServiceAccounts().Lister(),
		services:                 f.Services().Lister(),
		statefulSets:             f.StatefulSets().Lister(),
		volumeAttachments:        f.VolumeAttachments().Lister(),
	}
}

type answer struct{ got, want []string }

// answers asks every question there is.
func answers(ls listers) map[string]answer {
	out := map[string]answer{}
	ask := func(question string, got []string, want ...string) { out[question] = answer{got, want} }

	pods := ls.pods
	ask("pods.ByNode", named(pods.ByNode("node-1")), "web-1")
	ask("pods.ByNode of none", named(pods.ByNode("")), "waiting")
	ask("pods.ByNominatedNode", named(pods.ByNominatedNode("node-1")), "waiting")
	ask("pods.ByPhase", named(pods.ByPhase(corev1.PodPending)), "waiting")
	ask("pods.ByNodePhase", named(pods.ByNodePhase("node-1", corev1.PodRunning)), "web-1")
	ask("pods.ByNodePhase of others", named(pods.ByNodePhase("node-1", corev1.PodPending)))
	ask("pods.ByReady", named(pods.ByReady(corev1.ConditionTrue)), "web-1")
	ask("pods.ByIP", named(pods.ByIP("fd00::1")), "web-1")
	ask("pods.ByImage", named(pods.ByImage("app:1")), "web-1")
	ask("pods.ByCreated", named(pods.ByCreated(noon)), "web-1")
	ask("pods.ByCreatedRange", named(pods.ByCreatedRange(time.Time{}, noon)), "waiting")
	ask("pods.ByCreatedFrom", named(pods.ByCreatedFrom(noon.Add(-time.Hour))), "waiting", "web-1")
	ask("pods.MinCreated", one(pods.MinCreated()), "waiting")
	ask("pods.MaxCreated", one(pods.MaxCreated()), "web-1")
	ask("pods.ByServiceAccount", named(pods.ByServiceAccount(in("shop", "runner"))), "web-1")
	ask("pods.ByOwner", named(pods.ByOwner("bystander")), "web-1")
	ask("pods.ByController", named(pods.ByController("rs")), "web-1")
	ask("pods.ByLabel", named(pods.ByLabel("app", "web")), "web-1")
	ask("pods.List", named(pods.List(labels.SelectorFromSet(labels.Set{"app": "web"}))), "web-1")
	ask("pods.ByClaim", named(pods.ByClaim(in("shop", "data"))), "web-1")
	ask("pods.ByClaim of an ephemeral volume", named(pods.ByClaim(in("shop", "web-1-ve"))), "web-1")
	ask("pods.BySecret in another namespace", named(pods.BySecret(in("bank", "volume"))))
	ask("pods.BySecret of no name", named(pods.BySecret(in("shop", ""))))
	for _, name := range []string{"volume", "projected", "azurefile", "csi", "cephfs", "flex", "iscsi", "rbd", "scaleio", "storageos", "pull", "envfrom", "env", "debug"} {
		ask("pods.BySecret "+name, named(pods.BySecret(in("shop", name))), "web-1")
		ask("deployments.BySecret "+name, named(ls.deployments.BySecret(in("shop", name))), "deployment")
	}
	for _, name := range []string{"volume", "projected", "envfrom", "env"} {
		ask("pods.ByConfigMap "+name, named(pods.ByConfigMap(in("shop", name))), "web-1")
		ask("deployments.ByConfigMap "+name, named(ls.deployments.ByConfigMap(in("shop", name))), "deployment")
	}
	ask("pods.ByConfigMap of a Secret", named(pods.ByConfigMap(in("shop", "pull"))))

	workloads(ls, ask)
	cluster(ls, ask)
	storageAndNetwork(ls, ask)
	return out
}

type asker func(question string, got []string, want ...string)

func workloads(ls listers, ask asker) {
	ask("deployments.ByImage", named(ls.deployments.ByImage("app:1")), "deployment")
	ask("deployments.ByServiceAccount", named(ls.deployments.ByServiceAccount(in("shop", "runner"))), "deployment")
	ask("deployments.ByClaim", named(ls.deployments.ByClaim(in("shop", "data"))), "deployment")
	ask("deployments.ByController", named(ls.deployments.ByController("app")), "deployment")
	ask("deployments.ByLabel", named(ls.deployments.ByLabel("app", "web")), "deployment")
	ask("replicaSets.ByController", named(ls.replicaSets.ByController("deployment")), "replicaset")
	ask("replicaSets.ByLabel", named(ls.replicaSets.ByLabel("app", "web")), "replicaset")
	ask("statefulSets.ByImage", named(ls.statefulSets.ByImage("app:1")), "statefulset")
	ask("statefulSets.ByServiceAccount", named(ls.statefulSets.ByServiceAccount(in("shop", "runner"))), "statefulset")
	ask("statefulSets.ByService", named(ls.statefulSets.ByService(in("shop", "db"))), "statefulset")
	ask("statefulSets.ByClaim", named(ls.statefulSets.ByClaim(in("shop", "data"))), "statefulset")
	ask("statefulSets.BySecret", named(ls.statefulSets.BySecret(in("shop", "env"))), "statefulset")
	ask("statefulSets.ByConfigMap", named(ls.statefulSets.ByConfigMap(in("shop", "env"))), "statefulset")
	ask("statefulSets.ByOwner", named(ls.statefulSets.ByOwner("app")), "statefulset")
	ask("statefulSets.ByLabel", named(ls.statefulSets.ByLabel("app", "web")), "statefulset")
	ask("daemonSets.ByImage", named(ls.daemonSets.ByImage("app:1")), "daemonset")
	ask("daemonSets.ByServiceAccount", named(ls.daemonSets.ByServiceAccount(in("shop", "runner"))), "daemonset")
	ask("daemonSets.ByClaim", named(ls.daemonSets.ByClaim(in("shop", "data"))), "daemonset")
	ask("daemonSets.BySecret", named(ls.daemonSets.BySecret(in("shop", "env"))), "daemonset")
	ask("daemonSets.ByConfigMap", named(ls.daemonSets.ByConfigMap(in("shop", "env"))), "daemonset")
	ask("daemonSets.ByOwner", named(ls.daemonSets.ByOwner("app")), "daemonset")
	ask("daemonSets.ByLabel", named(ls.daemonSets.ByLabel("app", "web")), "daemonset")

	ask("jobs.ByOwner", named(ls.jobs.ByOwner("cronjob")), "done", "failed")
	ask("jobs.ByController", named(ls.jobs.ByController("cronjob")), "done", "failed")
	ask("jobs.ByLabel", named(ls.jobs.ByLabel("app", "web")), "done")
	ask("jobs.ByComplete", named(ls.jobs.ByComplete(corev1.ConditionTrue)), "done")
	ask("jobs.ByFailed", named(ls.jobs.ByFailed(corev1.ConditionTrue)), "failed")
	ask("jobs.ByCompletedRange", named(ls.jobs.ByCompletedRange(time.Time{}, noon.Add(time.Second))), "done")
	ask("jobs.ByCompletedRange before", named(ls.jobs.ByCompletedRange(time.Time{}, noon)))
	ask("jobs.MinCompleted", one(ls.jobs.MinCompleted()), "done")
	ask("cronJobs.BySuspended", named(ls.cronJobs.BySuspended(true)), "cronjob")
	ask("cronJobs.ByOwner", named(ls.cronJobs.ByOwner("app")), "cronjob")
	ask("cronJobs.ByLabel", named(ls.cronJobs.ByLabel("app", "web")), "cronjob")
	ask("horizontalPodAutoscalers.ByTarget", named(ls.horizontalPodAutoscalers.ByTarget(scaled("shop"))), "scaler")
	ask("horizontalPodAutoscalers.ByTarget elsewhere", named(ls.horizontalPodAutoscalers.ByTarget(scaled("bank"))))
}

func scaled(namespace string) builtin.HorizontalPodAutoscalerTargetKey {
	return builtin.HorizontalPodAutoscalerTargetKey{Namespace: namespace, Kind: "Deployment", Name: "deployment"}
}

func subject(kind, namespace, name string) builtin.RoleBindingSubjectKey {
	return builtin.RoleBindingSubjectKey{Kind: kind, Namespace: namespace, Name: name}
}

func cluster(ls listers, ask asker) {
	ask("events.ByInvolvedObject", named(ls.events.ByInvolvedObject(builtin.EventInvolvedObjectKey{Kind: "Pod", Namespace: "shop", Name: "web-1"})), "event")
	ask("events.ByInvolvedUID", named(ls.events.ByInvolvedUID("web-1")), "event")
	ask("events.ByReason", named(ls.events.ByReason("Pulled")), "event")
	ask("events.ByType", named(ls.events.ByType(corev1.EventTypeNormal)), "event")
	ask("events.ByComponent", named(ls.events.ByComponent("kubelet")), "event")
	ask("events.ByLastSeenRange", named(ls.events.ByLastSeenRange(noon, noon.Add(time.Second))), "event")

	ask("nodes.ByProviderID", named(ls.nodes.ByProviderID("cloud://1")), "node-1")
	ask("nodes.ByAddress", named(ls.nodes.ByAddress("192.0.2.1")), "node-1")
	ask("nodes.ByPodCIDR", named(ls.nodes.ByPodCIDR("10.0.0.0/24")), "node-1")
	ask("nodes.ByReady", named(ls.nodes.ByReady(corev1.ConditionTrue)), "node-1")
	ask("nodes.ByUnschedulable", named(ls.nodes.ByUnschedulable(true)), "node-1")
	ask("nodes.ByTaint", named(ls.nodes.ByTaint("spot", corev1.TaintEffectNoExecute)), "node-1")
	ask("nodes.ByTaint of another effect", named(ls.nodes.ByTaint("spot", corev1.TaintEffectNoSchedule)))
	ask("nodes.ByZone", named(ls.nodes.ByZone("zone-a")), "node-1")
	ask("nodes.ByLabel", named(ls.nodes.ByLabel(corev1.LabelTopologyZone, "zone-a")), "node-1")
	ask("namespaces.ByPhase", named(ls.namespaces.ByPhase(corev1.NamespaceActive)), "shop")
	ask("namespaces.List", named(ls.namespaces.List(labels.SelectorFromSet(labels.Set{"team": "a"}))), "shop")

	ask("secrets.ByType", named(ls.secrets.ByType(corev1.SecretTypeServiceAccountToken)), "token")
	ask("secrets.ByServiceAccount", named(ls.secrets.ByServiceAccount(in("shop", "runner"))), "token")
	ask("secrets.ByOwner", named(ls.secrets.ByOwner("certificate")), "token")
	ask("secrets.ByController", named(ls.secrets.ByController("certificate")))
	ask("secrets.ByLabel", named(ls.secrets.ByLabel("app", "web")), "token")
	ask("configMaps.ByOwner", named(ls.configMaps.ByOwner("app")), "settings")
	ask("configMaps.ByLabel", named(ls.configMaps.ByLabel("app", "web")), "settings")
	ask("serviceAccounts.ByImagePullSecret", named(ls.serviceAccounts.ByImagePullSecret(in("shop", "pull"))), "runner")
	ask("serviceAccounts.ByLabel", named(ls.serviceAccounts.ByLabel("app", "web")), "runner")

	ask("roleBindings.BySubject", named(ls.roleBindings.BySubject(subject(rbacv1.ServiceAccountKind, "shop", "runner"))), "binding")
	ask("roleBindings.BySubject, a user", named(ls.roleBindings.BySubject(subject(rbacv1.UserKind, "", "ann"))), "binding")
	ask("roleBindings.BySubject, two in one", named(ls.roleBindings.BySubject(subject(rbacv1.UserKind, "shop", "ann"))))
	ask("roleBindings.ByRole", named(ls.roleBindings.ByRole("Role", "reader")), "binding")
	admins := builtin.ClusterRoleBindingSubjectKey{Kind: rbacv1.GroupKind, Name: "admins"}
	ask("clusterRoleBindings.BySubject", named(ls.clusterRoleBindings.BySubject(admins)), "clusterbinding")
	ask("clusterRoleBindings.ByRole", named(ls.clusterRoleBindings.ByRole("admin")), "clusterbinding")
}

func storageAndNetwork(ls listers, ask asker) {
	claims, volumes := ls.persistentVolumeClaims, ls.persistentVolumes
	ask("persistentVolumeClaims.ByVolume", named(claims.ByVolume("pv")), "data")
	ask("persistentVolumeClaims.ByStorageClass", named(claims.ByStorageClass("fast")), "data")
	ask("persistentVolumeClaims.ByPhase", named(claims.ByPhase(corev1.ClaimBound)), "data")
	ask("persistentVolumeClaims.ByOwner", named(claims.ByOwner("statefulset")), "data")
	ask("persistentVolumeClaims.ByLabel", named(claims.ByLabel("app", "web")), "data")
	ask("persistentVolumes.ByClaim", one(volumes.ByClaim(in("shop", "data"))), "pv")
	ask("persistentVolumes.ByClaim of none", one(volumes.ByClaim(in("bank", "data"))))
	ask("persistentVolumes.ByCSIHandle", named(volumes.ByCSIHandle("csi.example.com", "vol-1")), "pv")
	ask("persistentVolumes.ByStorageClass", named(volumes.ByStorageClass("fast")), "pv")
	ask("persistentVolumes.ByPhase", named(volumes.ByPhase(corev1.VolumeBound)), "pv")
	ask("persistentVolumes.ByCapacity", named(volumes.ByCapacity(resource.MustParse("10240Mi"))), "pv")
	ask("persistentVolumes.ByCapacityFrom", named(volumes.ByCapacityFrom(resource.MustParse("11Gi"))))
	ask("volumeAttachments.ByNode", named(ls.volumeAttachments.ByNode("node-1")), "attachment")
	ask("volumeAttachments.ByVolume", named(ls.volumeAttachments.ByVolume("pv")), "attachment")
	ask("volumeAttachments.ByAttacher", named(ls.volumeAttachments.ByAttacher("csi.example.com")), "attachment")

	ask("services.ByType", named(ls.services.ByType(corev1.ServiceTypeLoadBalancer)), "web")
	ask("services.ByClusterIP", named(ls.services.ByClusterIP("fd01::1")), "web")
	ask("services.ByLoadBalancerIP", named(ls.services.ByLoadBalancerIP("198.51.100.1")), "web")
	ask("services.ByOwner", named(ls.services.ByOwner("app")), "web")
	ask("services.ByLabel", named(ls.services.ByLabel("app", "web")), "web")
	slices := ls.endpointSlices
	ask("endpointSlices.ByService", named(slices.ByService(in("shop", "web"))), "web-abc")
	ask("endpointSlices.ByNode", named(slices.ByNode("node-1")), "web-abc")
	ask("endpointSlices.ByAddress", named(slices.ByAddress("10.0.0.3")), "web-abc")
	ask("endpointSlices.ByTargetUID", named(slices.ByTargetUID("web-1")), "web-abc")
	ask("endpointSlices.ByPod", named(slices.ByPod(in("shop", "web-1"))), "web-abc")
	ask("endpointSlices.ByPod of what is none", named(slices.ByPod(in("shop", "vm"))))
	ask("endpointSlices.ByController", named(slices.ByController("web")), "web-abc")
	ask("ingresses.ByClass", named(ls.ingresses.ByClass("public")), "routes")
	ask("ingresses.ByHost", named(ls.ingresses.ByHost("empty.example.com")), "routes")
	ask("ingresses.BySecret", named(ls.ingresses.BySecret(in("shop", "tls"))), "routes")
	ask("ingresses.ByService", named(ls.ingresses.ByService(in("shop", "web"))), "routes")
	ask("ingresses.ByService, the default", named(ls.ingresses.ByService(in("shop", "fallback"))), "routes")
	ask("ingresses.ByLabel", named(ls.ingresses.ByLabel("app", "web")), "routes")
}
