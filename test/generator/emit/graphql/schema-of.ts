import type { ServiceDefinition } from "../../../../generator/definition/definition.ts";
import { emit } from "../../../../generator/emit/emit.ts";
import { planMigration } from "../../../../generator/migrations/plan.ts";
import { graphqlSchemaPath } from "../../../../generator/output/output-paths.ts";

/** The text of a service's GraphQL schema. */
export function schemaOf(definition: ServiceDefinition): string {
  const plan = planMigration(definition, { migration: null, tables: [] }, []);
  return emit(definition, plan, "generated").find(({ path }) => path === graphqlSchemaPath)?.text ?? "";
}
