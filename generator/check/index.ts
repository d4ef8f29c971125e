import { checkAccess } from "./access.ts";
import { checkConditions } from "./conditions.ts";
import type { CheckContext } from "./context.ts";
import { checkFields } from "./fields.ts";
import { checkGeneratedNames } from "./generated-names.ts";
import { checkGraphqlTypes } from "./graphql-types.ts";
import { checkHooks } from "./hooks.ts";
import { checkKeys } from "./keys.ts";
import { checkLintIgnores } from "./lint-ignores.ts";
import { checkManifest } from "./manifest.ts";
import { checkNames } from "./names.ts";
import { checkRateLimits } from "./rate-limits.ts";
import { checkRelations } from "./relations.ts";
import { checkRenames } from "./renames.ts";
import { checkRoutes } from "./routes.ts";
import { checkTables } from "./tables.ts";
import { checkValues } from "./values.ts";

export type { CheckContext } from "./context.ts";

/** Runs every family of rules over models that have the right shape; each reports what it finds. */
export function checkService(context: CheckContext): void {
  checkManifest(context);
  checkNames(context);
  checkTables(context);
  checkRoutes(context);
  checkGeneratedNames(context);
  checkGraphqlTypes(context);
  checkFields(context);
  checkValues(context);
  checkKeys(context);
  checkRenames(context);
  checkRelations(context);
  checkAccess(context);
  checkConditions(context);
  checkRateLimits(context);
  checkHooks(context);
  checkLintIgnores(context);
}
