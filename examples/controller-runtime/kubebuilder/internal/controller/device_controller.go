// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controller has the controllers of the fleet.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	fleetv1 "github.com/indexer-gen/indexer-gen/examples/controller-runtime/kubebuilder/api/v1"
)

// DeviceReconciler copies the mode of a Device from its ConfigMap to its status.
type DeviceReconciler struct {
	client.Client
}

// +kubebuilder:rbac:groups=fleet.example.com,resources=devices,verbs=get;list;watch
// +kubebuilder:rbac:groups=fleet.example.com,resources=devices/status,verbs=get;update;patch
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch

// Reconcile updates the status of a Device. It ignores a missing ConfigMap, whose creation is an event.
func (r *DeviceReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var device fleetv1.Device
	if err := r.Get(ctx, req.NamespacedName, &device); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var settings corev1.ConfigMap
	key := types.NamespacedName{Namespace: device.Namespace, Name: device.Spec.ConfigMap}
	if err := r.Get(ctx, key, &settings); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if device.Status.Mode == settings.Data["mode"] {
		return ctrl.Result{}, nil
	}
	device.Status.Mode = settings.Data["mode"]
	return ctrl.Result{}, r.Status().Update(ctx, &device)
}

// devicesOf returns a request for each Device that has its settings in a ConfigMap.
func (r *DeviceReconciler) devicesOf(ctx context.Context, settings client.Object) []reconcile.Request {
	devices, err := fleetv1.NewDeviceReader(r).
		ByConfigMap(ctx, settings.GetName(), client.InNamespace(settings.GetNamespace()))
	if err != nil {
		log.FromContext(ctx).Error(err, "cannot list the devices of a ConfigMap", "configMap", settings.GetName())
		return nil
	}
	requests := make([]reconcile.Request, len(devices))
	for i, device := range devices {
		requests[i].NamespacedName = client.ObjectKeyFromObject(device)
	}
	return requests
}

// SetupWithManager adds the controller and the indexes that it queries to the manager.
func (r *DeviceReconciler) SetupWithManager(mgr ctrl.Manager) error {
	if err := fleetv1.AddDeviceIndexes(context.Background(), mgr.GetFieldIndexer()); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&fleetv1.Device{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.devicesOf)).
		Named("device").
		Complete(r)
}
