import { fork } from "node:child_process";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonSchema } from "../../../vocabulary/code-schemas.ts";
import type { RouteSchemas, SchemaPart } from "../../definition/definition.ts";
import { installedFile } from "../../packages/installed-file.ts";
import type { RawRoute } from "../raw.ts";

/** The schemas of the routes in a file. */
export interface FileSchemas {
  /** Absolute. */
  readonly file: string;
  /** Why the file could not run. */
  readonly problem: string | null;
  readonly routes: readonly {
    /** Method and path. */
    readonly route: string;
    readonly schemas: Readonly<Record<SchemaPart, JsonSchema | null>>;
  }[];
}

const program = fileURLToPath(
  new URL(`./print-schemas${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
);

const longestRunMs = 30_000;

/**
 * Fills in schemas that are not literals, such as those of zod, by running the files that have one. A schema without a JSON Schema
 * stays `{}`, with the reason.
 */
export async function withComputedSchemas(routes: readonly RawRoute[], root: string): Promise<RawRoute[]> {
  const files = new Set(
    routes.filter(({ computed }) => computed.length > 0).map(({ file }) => join(root, file)),
  );
  if (files.size === 0) return [...routes];
  const found = new Map((await runFiles([...files], root)).map((one) => [one.file, one]));
  return routes.map((route) => filled(route, found.get(join(root, route.file)), root));
}

function filled(route: RawRoute, found: FileSchemas | undefined, root: string): RawRoute {
  const name = `${route.method.value} ${route.path.value}`;
  const known = found?.routes.find((one) => one.route === name)?.schemas;
  let { schemas } = route;
  const computed = route.computed.flatMap((unknown) => {
    const schema = known?.[unknown.part] ?? null;
    if (schema !== null) schemas = withSchema(schemas, unknown.part, schema);
    const problem = found?.problem ?? null;
    const reason =
      problem === null
        ? "its library gives no JSON Schema for it"
        : `the file cannot run: ${problem.replaceAll(root + sep, "")}`;
    return schema === null ? [{ ...unknown, problem: reason }] : [];
  });
  return { ...route, schemas, computed };
}

function withSchema(schemas: RouteSchemas, part: SchemaPart, schema: JsonSchema): RouteSchemas {
  return { ...schemas, [part]: part === "answer" ? { schema } : schema };
}

/** Runs the files in a process of its own, which can open what it wants. */
function runFiles(files: readonly string[], root: string): Promise<FileSchemas[]> {
  const loader = Object(process.features)["typescript"] ? null : installedFile("tsx", "esm", root);
  const execArgv = [...process.execArgv, ...(loader === null ? [] : ["--import", loader])];
  const found: FileSchemas[] = [];
  return new Promise((resolve, reject) => {
    const stdio = ["ignore", "ignore", "ignore", "ipc"] as const;
    const child = fork(program, files, { cwd: root, execArgv, stdio: [...stdio], timeout: longestRunMs });
    child.on("message", (message: FileSchemas) => found.push(message));
    child.once("error", reject);
    child.once("close", () => resolve(found));
  });
}
