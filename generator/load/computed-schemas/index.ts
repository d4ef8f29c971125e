import { fork } from "node:child_process";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { DocumentSchema } from "../../../vocabulary/openapi/document.ts";
import type { RouteSchemas, SchemaPart } from "../../definition/definition.ts";
import type { ReportDiagnostic } from "../../diagnostics/index.ts";
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
    readonly schemas: Readonly<Record<SchemaPart, DocumentSchema | null>>;
  }[];
}

const program = fileURLToPath(
  new URL(`./print-schemas${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
);

const longestRunMs = 30_000;

/**
 * Fills in schemas that are not literals, such as those of zod, by running the files that have one. Schemas without a JSON Schema
 * stay `{}`.
 */
export async function withComputedSchemas(
  routes: readonly RawRoute[],
  root: string,
  report: ReportDiagnostic,
): Promise<RawRoute[]> {
  const files = new Set(
    routes.filter(({ computed }) => computed.length > 0).map(({ file }) => join(root, file)),
  );
  if (files.size === 0) return [...routes];
  const found = await runFiles([...files], root);
  return routes.map((route) => {
    const [first] = route.computed;
    if (first === undefined) return route;
    const file = join(root, route.file);
    const { problem, routes } = found.get(file) ?? { problem: "its process ended", routes: [] };
    if (problem === null) return filled(route, routes);
    const reason = problem.replaceAll(root + sep, "");
    const message = `the file cannot run, so its schemas are any value in the OpenAPI document: ${reason}`;
    // Once for the file.
    if (files.delete(file)) report("route-not-run", first.at, message);
    return { ...route, computed: [] };
  });
}

function filled(route: RawRoute, known: FileSchemas["routes"]): RawRoute {
  const name = `${route.method.value} ${route.path.value}`;
  const found = known.find((one) => one.route === name)?.schemas;
  let { schemas } = route;
  const computed = route.computed.filter(({ part }) => {
    const schema = found?.[part] ?? null;
    if (schema !== null) schemas = withSchema(schemas, part, schema);
    return schema === null;
  });
  return { ...route, schemas, computed };
}

function withSchema(schemas: RouteSchemas, part: SchemaPart, schema: DocumentSchema): RouteSchemas {
  if (part !== "answer") return { ...schemas, [part]: schema };
  const contentType = typeof schema === "boolean" ? undefined : schema["content_type"];
  return { ...schemas, answer: typeof contentType === "string" ? { contentType } : { schema } };
}

/** Runs the files in another process, and returns the schemas by file. */
function runFiles(files: readonly string[], root: string): Promise<Map<string, FileSchemas>> {
  const loader = Object(process.features)["typescript"] ? null : installedFile("tsx", "esm", root);
  const execArgv = [
    ...process.execArgv,
    ...(loader === null ? [] : ["--import", pathToFileURL(loader).href]),
  ];
  const found = new Map<string, FileSchemas>();
  return new Promise((resolve, reject) => {
    const stdio = ["ignore", "ignore", "ignore", "ipc"] as const;
    const child = fork(program, files, {
      cwd: root,
      execArgv,
      stdio: [...stdio],
      timeout: longestRunMs,
      killSignal: "SIGKILL",
    });
    // The code of the app can send messages too.
    child.on("message", (message: Partial<FileSchemas> | null) => {
      const { file, problem = null, routes } = Object(message);
      if (files.includes(file) && Array.isArray(routes)) found.set(file, { file, problem, routes });
    });
    child.once("error", reject);
    child.once("close", () => resolve(found));
  });
}
