import { checkAccess } from "./check-access.ts";
import {
  checkCustomMigrations,
  checkFills,
  checkHooks,
  checkJobs,
  checkMails,
  checkReadOnlyHooks,
  checkUpsert,
} from "./check-app-files.ts";
import { checkNamedConditions, checkRowChecks, checkRuleConditions } from "./check-conditions.ts";
import type { CheckContext } from "./check-context.ts";
import { checkCustomRoutes } from "./check-custom-routes.ts";
import { checkDocsPath } from "./check-docs-path.ts";
import { checkFields } from "./check-fields.ts";
import { checkKeys } from "./check-keys.ts";
import { checkLintIgnores } from "./check-lint-ignores.ts";
import { checkErrors, checkManifest, checkSocial } from "./check-manifest.ts";
import { checkMcp } from "./check-mcp.ts";
import {
  checkClientNames,
  checkGeneratedNames,
  checkGraphqlTypes,
  checkModelNames,
  checkPageFields,
  checkRenames,
} from "./check-names.ts";
import { checkPresets } from "./check-presets.ts";
import { checkRateLimits } from "./check-rate-limits.ts";
import { checkRelations } from "./check-relations.ts";
import { checkRoutes } from "./check-routes.ts";
import { checkStoredFields } from "./check-stored-fields.ts";
import { checkStoredTables } from "./check-stored-tables.ts";
import { checkTables } from "./check-tables.ts";
import { checkValues } from "./check-values.ts";

export type { CheckContext } from "./check-context.ts";

/** Runs all checks on models that have the right shape. */
export function checkService(context: CheckContext): void {
  checkManifest(context);
  checkSocial(context);
  checkErrors(context);
  checkMails(context);
  checkJobs(context);
  checkModelNames(context);
  checkTables(context);
  checkStoredTables(context);
  checkRoutes(context);
  checkCustomRoutes(context);
  checkMcp(context);
  checkDocsPath(context);
  checkGeneratedNames(context);
  checkGraphqlTypes(context);
  checkPageFields(context);
  checkClientNames(context);
  checkFields(context);
  checkStoredFields(context);
  checkValues(context);
  checkPresets(context);
  checkKeys(context);
  checkRenames(context);
  checkRelations(context);
  checkAccess(context);
  checkNamedConditions(context);
  checkRuleConditions(context);
  checkRowChecks(context);
  checkRateLimits(context);
  checkHooks(context);
  checkFills(context);
  checkCustomMigrations(context);
  checkReadOnlyHooks(context);
  checkUpsert(context);
  checkLintIgnores(context);
}
