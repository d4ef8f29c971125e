import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inServiceSchema, parseEnvFile, serviceSchemaOf, type Variables } from "../core/config/index.ts";
import { CommandError } from "./failure.ts";

/**
 * `process.env` plus `.env`; set variables win. URLs of the database lead to the schema of Kirak's tables. Throws a CommandError if it
 * cannot read the file.
 */
export function loadEnvironment(root: string): Variables {
  for (const [name, value] of Object.entries(parseEnvFile(textOf(join(root, ".env")))))
    process.env[name] ??= value;
  const schema = serviceSchemaOf(root);
  if (schema === null) return process.env;
  const urls = ["SERVICE_DATABASE_URL", "SERVICE_DATABASE_DIRECT_URL"].flatMap((name) => {
    const url = process.env[name];
    return url === undefined ? [] : [[name, inServiceSchema(url, schema)] as const];
  });
  return { ...process.env, ...Object.fromEntries(urls) };
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
