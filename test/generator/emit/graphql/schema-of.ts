import type { ServiceDefinition } from "#generator/definition/definition";
import { emit } from "#generator/emit/emit";
import { planMigration } from "#generator/migrations/plan";
import { graphqlSchemaPath } from "#generator/output/output-files";

/** The text of a service's GraphQL schema. */
export function schemaOf(definition: ServiceDefinition): string {
  const plan = planMigration(definition, { migration: null, tables: [] }, []);
  return emit(definition, plan, "generated").find(({ path }) => path === graphqlSchemaPath)?.text ?? "";
}
