// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package certificates

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrlread"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
)

// Fingerprints is the annotation of an Ingress with the fingerprints of its certificates.
const Fingerprints = "example.com/fingerprints"

// NewManager returns a manager that holds only the Secrets that it reads. Of all others, it has the metadata with
// labels, for predicates.
func NewManager(config *rest.Config, opts ctrl.Options) (ctrl.Manager, error) {
	opts.NewCache = ctrlruntime.NewCacheWith(ctrlread.HoldRead(&corev1.Secret{}, readthrough.Labels))
	return ctrl.NewManager(config, opts)
}

// Reconciler writes the fingerprints of its certificates to each Ingress.
type Reconciler struct{ client.Client }

// SetupWithManager adds the reconciler to mgr.
func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	if err := AddIngressIndexes(ctx, mgr.GetFieldIndexer()); err != nil {
		return err
	}
	ingresses := NewIngressReader(mgr.GetClient())
	return ctrl.NewControllerManagedBy(mgr).
		For(&Ingress{}).
		WatchesMetadata(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(ingresses.RequestsBySecret)).
		Complete(r)
}

// Reconcile implements reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var ingress Ingress
	if err := r.Get(ctx, req.NamespacedName, &ingress); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var all []string
	for _, key := range FieldIndexIngressBySecret(nil, &ingress) {
		fingerprint, err := r.fingerprint(ctx, key)
		if err != nil {
			return ctrl.Result{}, err
		}
		all = append(all, fingerprint)
	}
	before := client.MergeFrom(ingress.DeepCopy())
	if text := strings.Join(all, ","); ingress.Annotations[Fingerprints] != text {
		metav1.SetMetaDataAnnotation(&ingress.ObjectMeta, Fingerprints, text)
		return ctrl.Result{}, r.Patch(ctx, &ingress, before)
	}
	return ctrl.Result{}, nil
}

// fingerprint returns the fingerprint of the certificate in a Secret, or "missing".
func (r *Reconciler) fingerprint(ctx context.Context, key types.NamespacedName) (string, error) {
	var secret corev1.Secret
	err := r.Get(ctx, key, &secret)
	if apierrors.IsNotFound(err) {
		return "missing", nil
	}
	sum := sha256.Sum256(secret.Data[corev1.TLSCertKey])
	return hex.EncodeToString(sum[:8]), err
}
