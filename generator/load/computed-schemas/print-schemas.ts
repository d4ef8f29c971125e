import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { isSchema, type JsonSchema } from "../../../vocabulary/code-schemas.ts";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { isStandardSchema, jsonSchemaOf } from "../../../vocabulary/standard-schema.ts";

const send = promisify((message: object, done: (error: Error | null) => void) =>
  process.send?.(message, done),
);

/** Runs the files of routes that are its arguments, and sends their schemas to the parent process. */
for (const file of process.argv.slice(2))
  try {
    const { default: declared }: { readonly default: unknown } = await import(pathToFileURL(file).href);
    const routes = [declared].flat().filter(isJsonObject);
    const schemas = routes.map((route) => [`${route["method"]} ${route["path"]}`, schemasOf(route)]);
    await send({ file, routes: Object.fromEntries(schemas) });
  } catch (error) {
    await send({ file, problem: error instanceof Error ? error.message : String(error) });
  }
// A module can have opened timers or connections.
process.exit();

/** JSON has no undefined: parts without a schema are left out. */
function schemasOf({ params, query, body, answer }: JsonObject) {
  const schema = formOf(answer, "output");
  const contentType = isJsonObject(schema) ? schema["content_type"] : undefined;
  return {
    params: formOf(params, "input"),
    query: formOf(query, "input"),
    body: formOf(body, "input"),
    answer: contentType === undefined ? schema && { schema } : { contentType },
  };
}

function formOf(schema: unknown, side: "input" | "output"): JsonSchema | undefined {
  if (isStandardSchema(schema)) return jsonSchemaOf(schema, side) ?? undefined;
  return isSchema(schema) ? schema : undefined;
}
