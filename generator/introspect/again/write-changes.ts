import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../../vocabulary/json.ts";
import { lockFile } from "../../../vocabulary/models-folder.ts";
import { emitMigrations } from "../../emit/emit.ts";
import { formatOutput, formatted } from "../../format/format.ts";
import { modelFiles } from "../../load/files.ts";
import type { PlannedMigration } from "../../migrations/plan.ts";
import type { Snapshot } from "../../migrations/schema.ts";
import { changesTo } from "../../output/file-changes.ts";
import type { OutputFolder } from "../../output/output-folder.ts";
import { replaceFile, save } from "../../output/save.ts";
import type { IntrospectOptions } from "../existing.ts";
import type { DatabaseChanges } from "./database-changes.ts";
import { editedModels, type ModelChanges } from "./edit-models.ts";
import { editedText } from "./edit-text.ts";
import { entriesOf, type JsonEntries } from "./json-entries.ts";

/** The changes of the models files. `models` are those of an introspection from the start. */
export function modelsChanges(
  models: JsonEntries,
  { changed, dropped, added }: DatabaseChanges,
): ModelChanges {
  const keys = new Set(added.map(({ key }) => key));
  const isNew = (json: Json) => {
    const { type, relationship } = entriesOf(json);
    const { model: of, foreign_key: by } = entriesOf(relationship);
    if (type !== "has_many") return false;
    return (
      keys.has(String(of)) ||
      changed.some(
        ({ model, change, names }) =>
          model.key === of && change.foreignKeys.come.some(({ column }) => names.get(column) === by),
      )
    );
  };
  const collections = Object.entries(models).map(([key, model]) => {
    const fields = Object.entries(entriesOf(entriesOf(model)["fields"]));
    return [key, Object.fromEntries(fields.filter(([, json]) => isNew(json)))] as const;
  });
  return {
    changed,
    dropped: dropped.map(({ model }) => model),
    added: Object.fromEntries(added.map(({ key }) => [key, models[key] ?? {}])),
    collections: new Map(collections),
  };
}

/**
 * Writes the migration, then the models: the other way round, `generate` would plan the changes again after a killed run. Returns the
 * paths, relative to the project.
 */
export async function writeChanges(
  planned: PlannedMigration,
  schema: Snapshot,
  edits: ModelChanges,
  folder: OutputFolder,
  { root, models, out, dryRun }: IntrospectOptions,
): Promise<string[]> {
  const emitted = emitMigrations([planned], schema, models, out);
  const own = new Set([...emitted.map(({ path }) => path), lockFile]);
  const kept = [...folder.lock.files.keys()].filter((path) => folder.files.has(path) && !own.has(path));
  const texts = await formatOutput(emitted, { kept, models: folder.lock.models }, folder);
  const { written } = changesTo(folder, texts, []);
  const files = await editedFiles(edits, root, models);
  if (!dryRun) {
    save(join(root, out), written);
    for (const [path, text] of files) replaceFile(join(root, path), text);
  }
  return [...files.keys(), ...written.map(({ path }) => `${out}/${path}`)];
}

/** The models files that change, with their texts. */
async function editedFiles(
  edits: ModelChanges,
  root: string,
  models: string,
): Promise<ReadonlyMap<string, string>> {
  const files = (await modelFiles(root, models)).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const before = entriesOf(asJson(text));
    const edited = editedText(text, before, editedModels(before, edits, path === models));
    return edited === text ? [] : [{ path, text: edited }];
  });
  const texts = await formatted(files.map(({ text }, index) => ({ path: `${index}.json`, text })));
  return new Map(files.map(({ path, text }, index) => [path, texts.get(`${index}.json`) ?? text]));
}

/** The content of a models file that the generator could read. */
export function asJson(text: string): Json {
  return JSON.parse(text);
}
