// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// variableClaims returns the "Group" and "Version" in the variables GroupVersion and
// SchemeGroupVersion. unsaid holds the reason for a value that could not be read.
func variableClaims(pkg *loader.Package) (claims map[string][]groupOrVersionClaim, unsaid map[string]groupOrVersionClaim) {
	claims, unsaid = map[string][]groupOrVersionClaim{}, map[string]groupOrVersionClaim{}
	for _, name := range []string{"GroupVersion", "SchemeGroupVersion"} {
		variable, ok := pkg.Types.Scope().Lookup(name).(*types.Var)
		if !ok {
			continue
		}
		home, file, lit := compositeLiteral(pkg, name, 0)
		switch {
		case lit != nil:
			unsaid["Version"] = groupOrVersionClaim{claimantOrReason: "the variable " + name + " has no version", pos: variable.Pos()}
		case gotypes.IsText(variable.Type()):
			continue // such as "example.com/v1"
		default:
			unreadable := "the variable " + name + " is not a literal, so indexer-gen cannot read its "
			unsaid["Group"] = groupOrVersionClaim{claimantOrReason: unreadable + "group", pos: variable.Pos()}
			unsaid["Version"] = groupOrVersionClaim{claimantOrReason: unreadable + "version", pos: variable.Pos()}
			continue
		}
		for i, elt := range lit.Elts {
			field, expr := groupVersionMember(elt, i)
			at := elt.Pos()
			if home != pkg {
				at = variable.Pos()
			}
			value, known := constantString(home, file, expr)
			member := strings.ToLower(field)
			switch {
			case field != "Group" && field != "Version":
			case !known:
				unsaid[field] = groupOrVersionClaim{claimantOrReason: fmt.Sprintf(
					"the %s of the variable %s is %s, which is not known without running the program",
					member, name, types.ExprString(expr)), pos: at}
			case field == "Group" || value != "":
				claims[field] = append(claims[field],
					groupOrVersionClaim{value, fmt.Sprintf("the %s %q of the variable %s", member, value, name), at})
			}
		}
	}
	return claims, unsaid
}

// groupVersionMember returns the field name and value of the i-th element of a GroupVersion literal.
func groupVersionMember(elt ast.Expr, i int) (field string, value ast.Expr) {
	if kv, ok := elt.(*ast.KeyValueExpr); ok {
		return types.ExprString(kv.Key), kv.Value
	}
	return [...]string{"Group", "Version", ""}[min(i, 2)], elt
}
