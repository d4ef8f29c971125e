import { basename } from "node:path";
import { checksum } from "../output/checksum.ts";
import { parsedJson } from "../output/parsed-json.ts";
import type { InputFile } from "./files.ts";

/** The keys of the manifest that what is generated holds. */
const generatedKeys = ["name", "service_prefix", "auth_prefix", "modules"];
/** They change nothing that is generated. */
const ofNoEffect = new Set(["$schema", "lint_ignore"]);

/**
 * Checksum of what the models and those keys of the manifest say, however their files are formatted, and of which hook files
 * there are. The runtime makes the same of the same files, and so notices at the start that nobody has generated since.
 */
export function modelsChecksum(
  models: readonly InputFile[],
  manifest: InputFile,
  hooks: Iterable<string>,
): string {
  const said = models.map(({ file, text }) => {
    const content = parsedJson(text ?? "");
    return [
      basename(file),
      JSON.stringify(content, (key, value) => (ofNoEffect.has(key) ? undefined : value)),
    ];
  });
  return checksum(JSON.stringify([said, keysOf(parsedJson(manifest.text ?? "")), [...hooks].sort()]));
}

function keysOf(manifest: unknown): readonly unknown[] {
  const keys = new Map(Object.entries(manifest ?? {}));
  return generatedKeys.map((key) => keys.get(key) ?? null);
}
