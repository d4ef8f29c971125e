import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "../../../vocabulary/json.ts";

/** `service_schema` of the manifest; null without it. Other errors of the manifest are reported where it is used. */
export function serviceSchemaOf(root: string): string | null {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, "models", "manifest.json"), "utf8"));
    const schema = isJsonObject(manifest) ? manifest["service_schema"] : undefined;
    return typeof schema === "string" && /^\w+$/.test(schema) ? schema : null;
  } catch {
    return null;
  }
}

/**
 * The URL of a database, in which names without a schema are first looked up in the schema of Kirak's tables. A URL with a search path
 * stays as it is.
 */
export function inServiceSchema(url: string, schema: string | null): string {
  if (schema === null || !URL.canParse(url)) return url;
  const parsed = new URL(url);
  const options = parsed.searchParams.get("options") ?? "";
  if (options.includes("search_path")) return url;
  const path = `-c search_path=${schema},public`;
  // `URL` writes a blank as `+`, which PostgreSQL's own programs do not read.
  parsed.searchParams.delete("options");
  const sign = parsed.search === "" ? "?" : "&";
  return `${parsed.href}${sign}options=${encodeURIComponent(`${options} ${path}`.trim())}`;
}
