import { basename } from "node:path";
import { parsedJson } from "../parsed-json.ts";
import { checksum } from "../write/checksum.ts";
import type { InputFile } from "./files.ts";

/** They change nothing that is generated. */
const ofNoEffect = new Set(["$schema", "lint_ignore"]);

/**
 * Checksum of what the models say, however their files are formatted, and of which hook files there are. The runtime
 * makes the same of the same files, and so notices at the start that nobody has generated since.
 */
export function modelsChecksum(models: readonly InputFile[], hooks: Iterable<string>): string {
  const said = models.map(({ file, text }) => {
    const content = parsedJson(text ?? "");
    return [
      basename(file),
      JSON.stringify(content, (key, value) => (ofNoEffect.has(key) ? undefined : value)),
    ];
  });
  return checksum(JSON.stringify([said, [...hooks].sort()]));
}
