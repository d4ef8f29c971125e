import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnvFile, type Variables } from "../core/config/index.ts";
import { CommandError } from "./failure.ts";

/** `process.env` plus `.env`; set variables win. Throws a CommandError if it cannot read the file. */
export function loadEnvironment(root: string): Variables {
  for (const [name, value] of Object.entries(parseEnvFile(textOf(join(root, ".env")))))
    process.env[name] ??= value;
  return process.env;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ENOENT") return "";
    throw new CommandError(`.env cannot be read by this user (${error.message})`);
  }
}
