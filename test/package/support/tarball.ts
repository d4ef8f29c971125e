import { cpSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onceInRun } from "./once-in-run.ts";
import { succeed } from "./run.ts";

/** This repository. */
export const checkout = fileURLToPath(new URL("../../../", import.meta.url));

/** The package as people get it. */
export interface Tarball {
  /** Its path. */
  readonly path: string;
  /** The folder of its extracted content. */
  readonly content: string;
  /** The folder that it was packed in, a copy of this repository. */
  readonly source: string;
}

/** What no package is made of. Tests are left out here as well, since they are many. */
const left = new Set([".git", "node_modules", "var", "lib", "dist", "coverage", "test"]);

/** Packs the package, once in a run, in a copy of the repository: other tests use the repository's build. */
export async function tarball(): Promise<Tarball> {
  const folder = await onceInRun("tarball", pack);
  const source = join(folder, "source");
  return { source, path: join(folder, "kirak.tgz"), content: join(folder, "package") };
}

async function pack(folder: string): Promise<void> {
  const source = join(folder, "source");
  for (const name of readdirSync(checkout).filter((entry) => !left.has(entry)))
    cpSync(join(checkout, name), join(source, name), { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(source, "node_modules"));
  const environment = { HOME: folder, npm_config_update_notifier: "false" };
  await succeed("npm", ["pack", "--pack-destination", folder], { folder: source, environment });
  const [packed = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  cpSync(join(folder, packed), join(folder, "kirak.tgz"));
  await succeed("tar", ["-xzf", "kirak.tgz"], { folder });
}
