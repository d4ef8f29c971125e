import { pathToFileURL } from "node:url";
import { isSchema } from "../../../vocabulary/code-schemas.ts";
import { isJsonObject } from "../../../vocabulary/json.ts";
import { isStandardSchema, jsonSchemaOf } from "../../../vocabulary/standard-schema.ts";
import type { FileSchemas } from "./index.ts";

/** Runs the files of routes that are its arguments, in a process of its own, and sends their schemas to its parent. */
for (const file of process.argv.slice(2)) process.send?.({ file, ...(await schemasIn(file)) });
// A module can have opened timers or connections.
process.disconnect?.();
process.exit();

async function schemasIn(file: string): Promise<Omit<FileSchemas, "file">> {
  try {
    const { default: declared }: { readonly default: unknown } = await import(pathToFileURL(file).href);
    return { problem: null, routes: [declared].flat().filter(isJsonObject).map(schemasOf) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), routes: [] };
  }
}

function schemasOf({ method, path, params, query, body, answer }: Readonly<Record<string, unknown>>) {
  const schemas = {
    params: formOf(params, "input"),
    query: formOf(query, "input"),
    body: formOf(body, "input"),
    answer: formOf(answer, "output"),
  };
  return { route: `${method} ${path}`, schemas };
}

function formOf(schema: unknown, side: "input" | "output") {
  if (isStandardSchema(schema)) return jsonSchemaOf(schema, side);
  return isSchema(schema) ? schema : null;
}
