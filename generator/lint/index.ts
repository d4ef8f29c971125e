import { lintAccess } from "./lint-access.ts";
import { lintAccountDeletion } from "./lint-account-deletion.ts";
import { lintComparisons, lintEmptyText } from "./lint-comparisons.ts";
import { type LintInput, lintContext } from "./lint-context.ts";
import { lintFields, lintSearch } from "./lint-fields.ts";
import { lintAfterCommit, lintHooks } from "./lint-hooks.ts";
import { lintConditions } from "./lint-indexes.ts";
import { lintManifest } from "./lint-manifest.ts";
import { lintMcp } from "./lint-mcp.ts";
import { lintRepeatedConditions, lintUnusedConditions } from "./lint-named-conditions.ts";
import { lintRoles } from "./lint-roles.ts";
import { lintRowChecks, lintRows } from "./lint-rows.ts";
import { lintWiderWrites } from "./lint-wider-writes.ts";

/** Reports valid definitions that could be mistakes. The models have passed all checks. */
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
  lintUnusedConditions(context);
  if (input.proposeNames) lintRepeatedConditions(context);
  lintSearch(context);
  lintHooks(context);
  lintAfterCommit(context);
  lintManifest(context);
  lintAccountDeletion(context);
  lintMcp(context);
}
