import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The keys of the manifest that what is generated holds. */
const generatedKeys = ["name", "service_prefix", "auth_prefix", "modules"];
/** They change nothing that is generated. */
const ofNoEffect = new Set(["$schema", "lint_ignore"]);
/** Of `npm run generate`. */
const length = 16;

/**
 * Whether `models/` says something else, the manifest as far as generated files hold it, than when `npm run generate` made `generated/`, by content: checkouts and copies
 * change the times of files. False where that cannot be told, as in an image without the two.
 */
export function modelsChanged(root: string): boolean {
  try {
    const lock: { models?: unknown } = JSON.parse(read(root, "generated", "manifest.lock.json"));
    return typeof lock.models === "string" && lock.models !== "" && lock.models !== checksum(root);
  } catch {
    return false;
  }
}

/** The same that the generator makes; the two programs share no code. */
function checksum(root: string): string {
  const folder = join(root, "models");
  const more = readdirSync(folder).filter((name) => name.endsWith(".models.json"));
  const said = ["models.json", ...more.sort()].map((name) => {
    const content: unknown = JSON.parse(read(folder, name));
    return [name, JSON.stringify(content, (key, value) => (ofNoEffect.has(key) ? undefined : value))];
  });
  const manifest = new Map<string, unknown>(Object.entries(JSON.parse(read(folder, "manifest.json"))));
  const keys = generatedKeys.map((key) => manifest.get(key) ?? null);
  const text = JSON.stringify([said, keys, hooksIn(join(folder, "hooks"))]);
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

function hooksIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts") && !name.endsWith(".test.ts"))
    .map((name) => name.slice(0, -".ts".length))
    .sort();
}

/** Hooks are optional. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(...path: readonly string[]): string {
  return readFileSync(join(...path), "utf8");
}
