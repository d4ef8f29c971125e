import { lintAccess } from "./lint-access.ts";
import { lintAfterCommit } from "./lint-after-commit.ts";
import { lintComparisons } from "./lint-comparisons.ts";
import { type LintInput, lintContext } from "./lint-context.ts";
import { lintEmptyText } from "./lint-empty-text.ts";
import { lintFields } from "./lint-fields.ts";
import { lintHooks } from "./lint-hooks.ts";
import { lintConditions } from "./lint-indexes.ts";
import { lintManifest } from "./lint-manifest.ts";
import { lintRoles } from "./lint-roles.ts";
import { lintRowChecks } from "./lint-row-checks.ts";
import { lintRows } from "./lint-rows.ts";
import { lintSearch } from "./lint-search.ts";
import { lintWiderWrites } from "./lint-wider-writes.ts";

/** Looks for what works and may be a mistake. The models have passed the checks; each family reports what it finds. */
export function lintService(input: LintInput): void {
  const context = lintContext(input);
  lintAccess(context);
  lintRows(context);
  lintWiderWrites(context);
  lintRoles(context);
  lintFields(context);
  lintEmptyText(context);
  lintComparisons(context);
  lintRowChecks(context);
  lintConditions(context);
  lintSearch(context);
  lintHooks(context);
  lintAfterCommit(context);
  lintManifest(context);
}
