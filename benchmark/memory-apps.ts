import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);

/** A folder with nothing in it. */
export async function emptyFolder(path: string): Promise<string> {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** The app that `kirak init` makes, built; gives its folder. */
export async function buildBlank(root: string, home: string): Promise<string> {
  const kirak = join(root, "lib/cli/kirak.js");
  await run(process.execPath, [kirak, "init", "blank", "--no-git", "--no-install"], { cwd: home });
  const folder = join(home, "blank");
  linkPackage(root, folder);
  await run(process.execPath, [kirak, "build"], { cwd: folder });
  return folder;
}

/** What an image has of a built app, with keys of its manifest in place of its own. */
export function image(root: string, built: string, folder: string, keys: object): string {
  const manifestPath = join("models", "manifest.json");
  const manifest: object = JSON.parse(readFileSync(join(built, manifestPath), "utf8"));
  mkdirSync(join(folder, "models"), { recursive: true });
  writeFileSync(join(folder, manifestPath), JSON.stringify({ ...manifest, ...keys }));
  const mails = join("models", "mails");
  if (existsSync(join(built, mails))) cpSync(join(built, mails), join(folder, mails), { recursive: true });
  cpSync(join(built, "dist"), join(folder, "dist"), { recursive: true });
  linkPackage(root, folder);
  return folder;
}

/** As if the package were installed there. */
function linkPackage(root: string, folder: string): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules", "kirak"), "junction");
}

/** A database without tables, on the server of another one. */
export async function emptyDatabase(beside: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `benchmark_empty_${process.pid}`;
  const admin = new pg.Client(beside);
  await admin.connect();
  await admin.query(`create database ${name}`);
  return {
    url: Object.assign(new URL(beside), { pathname: `/${name}` }).href,
    async drop() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
