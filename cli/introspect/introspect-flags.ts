import { defaultPlaces } from "#generator/diagnostics/command";
import type { FlagTable, ParsedArgs } from "../define-command.ts";

/** Arguments of `kirak introspect`. Paths are absolute, or relative to the project. */
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
  url: { type: "string", describe: "URL of the database; default: SERVICE_DATABASE_URL" },
  schema: { type: "string", default: "public", describe: "schema of the tables" },
  models: { type: "string", default: defaultPlaces.models, describe: "models file to write" },
  manifest: {
    type: "string",
    default: defaultPlaces.manifest,
    describe: "manifest of the service; created if missing",
  },
  out: { type: "string", default: defaultPlaces.out, describe: "folder of the generated code" },
  force: { type: "boolean", describe: "replace existing models and migrations" },
  "dry-run": { type: "boolean", describe: "write nothing, mark nothing, and print what a run would do" },
} as const satisfies FlagTable;

/** Converts the parsed flags. */
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
