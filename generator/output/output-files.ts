import { migrationName } from "../../vocabulary/migrations/migration-steps.ts";
import { checksum } from "./lock-file.ts";

/** Path of the access matrix. All paths here are relative to the output folder. */
export const matrixPath = "access-matrix.txt";

/** Path of the text about the deletion of accounts. It is missing if no model refers to accounts. */
export const accountDeletionPath = "account-deletion.txt";

/** Path of the OpenAPI document. */
export const documentPath = "openapi.json";

/** Path of the GraphQL schema. */
export const graphqlSchemaPath = "graphql/schema.graphql";

/** Path of the file with the app's types for the runtime. */
export const appPath = "app.ts";

/** Path of the types of all tables, for Kysely. */
export const databasePath = "database.ts";

/** Path of the schema after all migrations. */
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

/** A file of the output before it is formatted. The path is relative to the output folder. */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}

const sums = new WeakMap<EmittedFile, string>();

/** Checksum of an emitted file. Cached, because several stages need it for thousands of files. */
export function emittedSum(file: EmittedFile): string {
  const sum = sums.get(file) ?? checksum(file.text);
  sums.set(file, sum);
  return sum;
}
