import { defaultPlaces } from "#generator/diagnostics/command";
import type { FlagTable, ParsedArgs } from "../define-command.ts";

/** Arguments of `kirak introspect`. Paths are absolute, or relative to the project. */
export interface IntrospectFlags {
  readonly url: string | null;
  /** Schemas, with commas; null for `public`, or those of the models. */
  readonly schema: string | null;
  readonly models: string;
  readonly manifest: string;
  readonly out: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Whether differences from existing models are a failure. Writes nothing. */
  readonly check: boolean;
  /** Whether to propose a conversion to Kirak's types, as migrations. */
  readonly normalise: boolean;
  /** The role that can run every operation; null if everything is closed. */
  readonly open: string | null;
  /** Whether views become models. */
  readonly views: boolean;
  /** The file for all remarks; null for none. */
  readonly remarks: string | null;
  /** The metadata folder of a Hasura project; null for none. */
  readonly hasura: string | null;
  /** Hasura's role of callers without a credential; null for none. */
  readonly guest: string | null;
}

/** Its flags. */
export const introspectFlags = {
  url: { type: "string", describe: "URL of the database; default: SERVICE_DATABASE_URL" },
  schema: {
    type: "string",
    describe: "schema of the tables; several with commas; default: public, or those of existing models",
  },
  models: { type: "string", default: defaultPlaces.models, describe: "models file to write" },
  manifest: {
    type: "string",
    default: defaultPlaces.manifest,
    describe: "manifest of the service; created if missing",
  },
  out: { type: "string", default: defaultPlaces.out, describe: "folder of the generated code" },
  force: { type: "boolean", describe: "replace existing models and migrations" },
  open: { type: "string", describe: "role that can run every operation; default: everything is closed" },
  views: { type: "boolean", describe: "write models for views too" },
  remarks: { type: "string", describe: "file for all remarks, one a line: kind, table.column, text" },
  hasura: { type: "string", describe: "metadata folder of a Hasura project, for relationships and rules" },
  guest: { type: "string", describe: "with --hasura: its HASURA_GRAPHQL_UNAUTHORIZED_ROLE, for guests" },
  normalise: { type: "boolean", describe: "propose migrations to Kirak's types and names instead" },
  check: {
    type: "boolean",
    describe: "write nothing, and exit with 1 if the models differ from the database",
  },
  "dry-run": { type: "boolean", describe: "write nothing, mark nothing, and print what a run would do" },
} as const satisfies FlagTable;

/** Converts the parsed flags. */
export function readIntrospectFlags(given: ParsedArgs<keyof typeof introspectFlags>): IntrospectFlags {
  return {
    url: given.text("url"),
    schema: given.text("schema"),
    models: given.value("models"),
    manifest: given.value("manifest"),
    out: given.value("out"),
    force: given.has("force"),
    dryRun: given.has("dry-run"),
    check: given.has("check"),
    normalise: given.has("normalise"),
    open: given.text("open"),
    views: given.has("views"),
    remarks: given.text("remarks"),
    hasura: given.text("hasura"),
    guest: given.text("guest"),
  };
}
