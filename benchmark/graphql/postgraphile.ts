import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

interface Release {
  /** The least major version of Node.js that its `engines` take. */
  readonly node: number;
  readonly packages: { readonly postgraphile: string } & Readonly<Record<string, string>>;
}

/** Newest first. The older one names its parts too: their ranges would bring parts that need a newer Node.js. */
const releases: readonly Release[] = [
  {
    node: 22,
    packages: {
      postgraphile: "5.1.5",
      "@graphile/pg-aggregates": "0.2.0-rc.2",
      graphql: "^16.9.0",
      pg: "^8.16.3",
    },
  },
  {
    node: 16,
    packages: {
      postgraphile: "5.0.0-rc.3",
      "@dataplan/json": "1.0.0-rc.2",
      "@dataplan/pg": "1.0.0-rc.2",
      "@graphile/lru": "5.0.0-rc.2",
      "@graphile/pg-aggregates": "0.2.0-rc.1",
      grafast: "1.0.0-rc.3",
      grafserv: "1.0.0-rc.3",
      "graphile-build": "5.0.0-rc.2",
      "graphile-build-pg": "5.0.0-rc.2",
      "graphile-config": "1.0.0-rc.2",
      "graphile-utils": "5.0.0-rc.2",
      graphql: "^16.9.0",
      pg: "^8.16.3",
      "pg-sql2": "5.0.0-rc.2",
      tamedevil: "0.1.0-rc.2",
    },
  },
];

/** Where PostGraphile is installed, and which. */
export interface Postgraphile {
  readonly home: string;
  readonly version: string;
}

/** Installs the newest PostGraphile whose `engines` take this Node.js, once. Throws where that fails. */
export async function installPostgraphile(root: string): Promise<Postgraphile> {
  const major = Number.parseInt(process.versions.node, 10);
  const release = releases.find(({ node }) => major >= node);
  if (release === undefined) throw new Error(`no PostGraphile 5 runs on Node.js ${process.versions.node}`);
  const home = join(root, "var", "benchmark", "postgraphile");
  const manifest = join(home, "package.json");
  const wanted = JSON.stringify({ private: true, dependencies: release.packages }, null, 2);
  const installed =
    existsSync(join(home, "node_modules", ".package-lock.json")) && readFileSync(manifest, "utf8") === wanted;
  if (!installed) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(manifest, wanted);
    const flags = [
      "--loglevel=error",
      "--no-package-lock",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--fetch-retries=0",
    ];
    await run("npm", ["install", "--prefix", home, ...flags], { cwd: home }).catch(failed);
  }
  return { home, version: release.packages.postgraphile };
}

/** npm says a lot; its code tells most, such as `ENOTFOUND` without a network. */
function failed(error: Error): never {
  throw new Error(`npm install: ${/npm error code (\w+)/.exec(error.message)?.[1] ?? error.message}`);
}
