import { join } from "node:path";
import { expect } from "vitest";
import { type WitnessWorld, witnessWorld } from "#cli/check-access/witnesses/index";
import { defaultPlaces } from "#generator/diagnostics/command";
import { planMigration } from "#generator/migrations/plan";
import { withUsers } from "#generator/migrations/schema-file";
import { readDefinition } from "#generator/pipeline/generate";
import { createDatabase } from "#runtime/core/database/index";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import type { Service } from "#runtime/server/service";
import { sqlOf } from "../../../generator/support/catalogs.ts";
import { project, repository } from "../../../generator/support/project.ts";
import { afterFile } from "../../../support/after-file.ts";
import { testDatabase } from "../../../support/database.ts";
import { silent } from "../../../support/silent-log.ts";

/** The world of a models file, on a database of its own. */
export async function worldOfModels(models: object, seed = 7): Promise<WitnessWorld> {
  const { root } = project(models);
  const { definition, diagnostics } = await readDefinition({ root, ...defaultPlaces });
  if (definition === null) throw new Error(JSON.stringify(diagnostics));
  // Its type would bring the types of the book shop's code, which other tests have for the fixture.
  const { service }: { service: Service } = await import(join(repository, "generated/index.ts"));
  const { builtIn } = await serviceMigrations(service.migrations);
  const db = await testDatabase([], builtIn);
  const { migration } = planMigration(definition, { migration: null, tables: withUsers([]) }, []);
  await db.query(sqlOf(migration?.changes.map(({ step }) => step) ?? []));
  const database = createDatabase({ url: db.url, maxConnections: 2, log: silent });
  afterFile(() => database.close());
  expect(definition.models.length).toBeGreaterThan(0);
  return witnessWorld(database, definition, seed);
}
