import { migrationName } from "../../vocabulary/migrations/migration-steps.ts";
/** Path of the text that says who may do what. All paths here are relative to the output folder. */
export const matrixPath = "access-matrix.txt";

/** Path of what callers see of the API. */
export const surfacePath = "api-surface.json";

/** Path of the GraphQL schema. */
export const graphqlSchemaPath = "graphql/schema.graphql";

/** Path of what the types of the runtime are told of the app. */
export const appPath = "app.ts";

/** Path of the tables that all migrations add up to. */
export const snapshotPath = "migrations/schema.json";

/** Path of a migration, by its name. */
export function migrationPath(name: string): string {
  return `migrations/${name}.ts`;
}

const migrationFile = new RegExp(`^migrations/(${migrationName.source})\\.ts$`);

/** Name of the migration at a path, or null. */
export function migrationAt(path: string): string | null {
  return migrationFile.exec(path)?.[1] ?? null;
}
