// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command main runs the manager of the fleet.
package main

import (
	"flag"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	fleetv1 "github.com/indexer-gen/indexer-gen/examples/controller-runtime/kubebuilder/api/v1"
	"github.com/indexer-gen/indexer-gen/examples/controller-runtime/kubebuilder/internal/controller"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
)

var scheme = runtime.NewScheme()

func init() {
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(fleetv1.AddToScheme(scheme))
}

func main() {
	var metricsAddr, probeAddr string
	var elect, indexerGen bool
	flag.StringVar(&metricsAddr, "metrics-bind-address", "0", "the address of the metrics; 0 turns them off")
	flag.StringVar(&probeAddr, "health-probe-bind-address", ":8081", "the address of the probes")
	flag.BoolVar(&elect, "leader-elect", false, "run one manager at a time")
	flag.BoolVar(&indexerGen, "indexer-gen-cache", false, "read through indexer-gen's cache")
	opts := zap.Options{Development: true}
	opts.BindFlags(flag.CommandLine)
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&opts)))
	log := ctrl.Log.WithName("setup")

	options := ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metricsserver.Options{BindAddress: metricsAddr},
		HealthProbeBindAddress: probeAddr,
		LeaderElection:         elect,
		LeaderElectionID:       "fleet.example.com",
	}
	if indexerGen {
		options.NewCache = ctrlruntime.NewCache
	}
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), options)
	if err != nil {
		log.Error(err, "cannot create the manager")
		os.Exit(1)
	}
	if err := (&controller.DeviceReconciler{Client: mgr.GetClient()}).SetupWithManager(mgr); err != nil {
		log.Error(err, "cannot add the controller", "controller", "Device")
		os.Exit(1)
	}
	if err := mgr.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		log.Error(err, "cannot add the health check")
		os.Exit(1)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		log.Error(err, "the manager failed")
		os.Exit(1)
	}
}
