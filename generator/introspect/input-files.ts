import { posix } from "node:path";
import type { Json } from "../../vocabulary/json.ts";
import { formatted } from "../format/format.ts";
import { readInput } from "../load/files.ts";
import type { Adoption } from "./adopt.ts";
import type { IntrospectOptions } from "./introspect-options.ts";

type JsonObject = { readonly [key: string]: Json };

/** The models file, and a manifest where there is none: texts by path. */
export async function inputFiles(
  { models: content }: Adoption,
  { root, models, manifest, name }: IntrospectOptions,
): Promise<Map<string, string>> {
  const wanted: { readonly path: string; readonly content: JsonObject }[] = [
    { path: models, content: { $schema: schemaPath(models, "models"), ...content } },
  ];
  const { text } = await readInput(root, manifest);
  if (text === null)
    wanted.push({ path: manifest, content: { $schema: schemaPath(manifest, "manifest"), name } });
  const files = wanted.map(({ content: value }, index) => ({
    path: `${index}.json`,
    text: JSON.stringify(value, null, 2),
  }));
  const texts = await formatted(files);
  return new Map(wanted.map(({ path }, index) => [path, texts.get(`${index}.json`) ?? ""]));
}

function schemaPath(file: string, schema: string): string {
  return posix.relative(posix.dirname(file), `schemas/${schema}.schema.json`);
}
