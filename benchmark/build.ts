import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Builds the package and the book shop as a deployment does. */
export async function buildApp(root: string): Promise<void> {
  await run("npm", ["run", "--silent", "build"], { cwd: root });
}

/** What no import leads to. */
const loadedByName = ["runtime/monitoring/worker/monitoring-worker.ts"];

/** Compiles the servers beside what `npm run build` compiles for a deployment, and gives their folder. */
export async function buildServers(root: string): Promise<string> {
  const home = join(root, "var", "benchmark");
  const outDir = join(home, "dist");
  mkdirSync(home, { recursive: true });
  const build: { include: string[] } = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8"));
  writeFileSync(
    join(home, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.build.json"),
      compilerOptions: { rootDir: root, outDir, sourceMap: false, customConditions: ["kirak-source"] },
      include: [...build.include, ...loadedByName, "benchmark/servers"].map((path) => join(root, path)),
    }),
  );
  await run(join(root, "node_modules", ".bin", "tsc"), ["--project", join(home, "tsconfig.json")]);
  writeFileSync(join(outDir, "package.json"), doorsOf(root));
  return join(outDir, "benchmark", "servers");
}

/** The name and the doors of this package, which lead into the build that lies beside them. */
function doorsOf(root: string): string {
  const { name, type, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const text = JSON.stringify({ name, type, exports }, null, 2);
  return text.replaceAll('"./lib/', '"./');
}
