import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { isSchema } from "../../../vocabulary/code-schemas.ts";
import { isJsonObject } from "../../../vocabulary/json.ts";
import { isStandardSchema, jsonSchemaOf } from "../../../vocabulary/standard-schema.ts";

const send = promisify((message: object, done: (error: Error | null) => void) =>
  process.send?.(message, done),
);

/** Runs the files of routes that are its arguments, and sends their schemas to the parent process. */
for (const file of process.argv.slice(2))
  try {
    const { default: declared }: { readonly default: unknown } = await import(pathToFileURL(file).href);
    const routes = [declared].flat().filter(isJsonObject).map(schemasOf);
    await send({ file, problem: null, routes });
  } catch (error) {
    await send({ file, problem: error instanceof Error ? error.message : String(error), routes: [] });
  }
// A module can have opened timers or connections.
process.exit();

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
