/** For tests of an app: runs its service on a separate database, and checks its access rules. */

import type { Service } from "../runtime/server/service.ts";
import { startTestService } from "../runtime/testing/index.ts";
import type { AccessOptions, AccessReport } from "./check-access/access-report.ts";

export * from "../runtime/testing/index.ts";
export type { AccessCell, AccessOptions, AccessReport, FoundRule } from "./check-access/access-report.ts";

/**
 * Asks the service each question of the access matrix, as each caller, with rows that it makes, on a database of
 * its own (docs/testing.md#access-rules). Rejects only for wrong options and models. Loads the generator when it is called.
 */
export async function checkAccess(service: Service, options: AccessOptions = {}): Promise<AccessReport> {
  const { runAccessCheck } = await import("./check-access/check-access.ts");
  return runAccessCheck(service, options, startTestService);
}
