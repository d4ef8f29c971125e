import { fork } from "node:child_process";
import { once } from "node:events";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { RouteSchemas } from "../../definition/definition.ts";
import type { ReportDiagnostic } from "../../diagnostics/index.ts";
import { installedFile } from "../../packages/installed-file.ts";
import type { RawRoute } from "../raw.ts";

/** What a run of a file finds. */
interface FileSchemas {
  /** Why the file could not run. */
  readonly problem?: string;
  /** By method and path. */
  readonly routes?: Readonly<Record<string, Partial<RouteSchemas>>>;
}

const program = fileURLToPath(
  new URL(`./print-schemas${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
);

const longestRunMs = 30_000;

/**
 * Fills in schemas that are not literals, such as those of zod, by running the files that have one. Schemas without a JSON Schema
 * stay `{}`, which is a finding of `lint`.
 */
export async function withComputedSchemas(
  routes: readonly RawRoute[],
  root: string,
  { lint, report }: { readonly lint: boolean; readonly report: ReportDiagnostic },
): Promise<readonly RawRoute[]> {
  const files = new Set(
    routes.filter(({ computed }) => computed.length > 0).map(({ file }) => join(root, file)),
  );
  if (files.size === 0) return routes;
  const found = await runFiles([...files], root);
  return routes.map((route) => {
    const [first] = route.computed;
    if (first === undefined) return route;
    const file = join(root, route.file);
    const { problem, routes = {} } = found.get(file) ?? { problem: "its process ended" };
    if (problem !== undefined) {
      const reason = problem.replaceAll(root + sep, "");
      const message = `the file cannot run, so its schemas are any value in the OpenAPI document: ${reason}`;
      // Once for the file.
      if (files.delete(file)) report("route-not-run", first.at, message);
      return route;
    }
    const name = `${route.method.value} ${route.path.value}`;
    const known = routes[name] ?? {};
    for (const { part, at } of lint ? route.computed.filter(({ part }) => !(part in known)) : []) {
      const message = `"${part}" of ${name} is any value in the OpenAPI document: its library gives no JSON Schema for it`;
      report("schema-unknown", at, message);
    }
    return { ...route, schemas: { ...route.schemas, ...known } };
  });
}

/** Runs the files in another process, and returns the schemas by file. */
async function runFiles(files: readonly string[], root: string): Promise<Map<string, FileSchemas>> {
  const loader = Object(process.features)["typescript"] ? null : installedFile("tsx", "esm", root);
  const loaders = loader === null ? [] : ["--import", pathToFileURL(loader).href];
  const found = new Map<string, FileSchemas>();
  const child = fork(program, files, {
    cwd: root,
    execArgv: [...process.execArgv, ...loaders],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    timeout: longestRunMs,
    killSignal: "SIGKILL",
  });
  // The code of the app can send messages too.
  child.on("message", (message) => {
    const { file, ...schemas }: FileSchemas & { readonly file?: string } = Object(message);
    if (file !== undefined && files.includes(file)) found.set(file, schemas);
  });
  await once(child, "close");
  return found;
}
