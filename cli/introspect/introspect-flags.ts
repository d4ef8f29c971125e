import { usualPlaces } from "#generator/diagnostics/command";
import type { FlagTable, ParsedArgs } from "../define-command.ts";

/** What `kirak introspect` is asked for. Paths are relative to the project, or absolute. */
export interface IntrospectFlags {
  readonly url: string | null;
  readonly schema: string;
  readonly models: string;
  readonly manifest: string;
  readonly out: string;
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** Its flags. */
export const introspectFlags = {
  url: { type: "string", describe: "the database; without it SERVICE_DATABASE_URL" },
  schema: { type: "string", default: "public", describe: "its schema" },
  models: { type: "string", default: usualPlaces.models, describe: "models file to write" },
  manifest: {
    type: "string",
    default: usualPlaces.manifest,
    describe: "manifest of the service; written where there is none",
  },
  out: { type: "string", default: usualPlaces.out, describe: "folder for what is generated" },
  force: { type: "boolean", describe: "replace models and migrations that are there" },
  "dry-run": { type: "boolean", describe: "write nothing, and mark nothing; say what would be made" },
} as const satisfies FlagTable;

/** What they ask for. */
export function readIntrospectFlags(given: ParsedArgs<keyof typeof introspectFlags>): IntrospectFlags {
  return {
    url: given.text("url"),
    schema: given.value("schema"),
    models: given.value("models"),
    manifest: given.value("manifest"),
    out: given.value("out"),
    force: given.has("force"),
    dryRun: given.has("dry-run"),
  };
}
