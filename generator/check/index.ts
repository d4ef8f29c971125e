import { checkAccess } from "./check-access.ts";
import { checkConditions } from "./check-conditions.ts";
import type { CheckContext } from "./check-context.ts";
import { checkErrors } from "./check-errors.ts";
import { checkFields } from "./check-fields.ts";
import { checkFills } from "./check-fills.ts";
import { checkGeneratedNames } from "./check-generated-names.ts";
import { checkGraphqlTypes } from "./check-graphql-types.ts";
import { checkHooks } from "./check-hooks.ts";
import { checkJobs } from "./check-jobs.ts";
import { checkKeys } from "./check-keys.ts";
import { checkLintIgnores } from "./check-lint-ignores.ts";
import { checkMails } from "./check-mails.ts";
import { checkManifest } from "./check-manifest.ts";
import { checkNames } from "./check-names.ts";
import { checkOwnMigrations } from "./check-own-migrations.ts";
import { checkOwnRoutes } from "./check-own-routes.ts";
import { checkPresets } from "./check-presets.ts";
import { checkRateLimits } from "./check-rate-limits.ts";
import { checkRelations } from "./check-relations.ts";
import { checkRenames } from "./check-renames.ts";
import { checkRoutes } from "./check-routes.ts";
import { checkRowChecks } from "./check-row-checks.ts";
import { checkSocial } from "./check-social.ts";
import { checkTables } from "./check-tables.ts";
import { checkUpsert } from "./check-upsert.ts";
import { checkValues } from "./check-values.ts";

export type { CheckContext } from "./check-context.ts";

/** Runs every family of rules over models that have the right shape; each reports what it finds. */
export function checkService(context: CheckContext): void {
  checkManifest(context);
  checkSocial(context);
  checkErrors(context);
  checkMails(context);
  checkJobs(context);
  checkNames(context);
  checkTables(context);
  checkRoutes(context);
  checkOwnRoutes(context);
  checkGeneratedNames(context);
  checkGraphqlTypes(context);
  checkFields(context);
  checkValues(context);
  checkPresets(context);
  checkKeys(context);
  checkRenames(context);
  checkRelations(context);
  checkAccess(context);
  checkConditions(context);
  checkRowChecks(context);
  checkRateLimits(context);
  checkHooks(context);
  checkFills(context);
  checkOwnMigrations(context);
  checkUpsert(context);
  checkLintIgnores(context);
}
