import { readFileSync } from "node:fs";
import { GeneratorBug } from "../../diagnostics/bug.ts";
import { parseJson } from "../json-tree.ts";
import type { RawModel } from "../raw.ts";
import { readModels } from "../read-models.ts";

/** The file that declares the built-in models, as spans of them name it. It is no file of the user's. */
export const builtInFile = "generator/load/built-in/models.json";

/** The built-in model that apps may extend and refer to. The others are tables that the runtime knows by hand. */
export const usersKey = "users";

let models: readonly RawModel[] | null = null;

/** The models of the service itself (contract: "Internal tables"), read as those of apps are. */
export function builtInModels(): readonly RawModel[] {
  models ??= readBuiltIn();
  return models;
}

function readBuiltIn(): RawModel[] {
  const text = readFileSync(new URL("models.json", import.meta.url), "utf8");
  const tree = parseJson(builtInFile, text, (_, at, message) => {
    throw new GeneratorBug(`${at.file} at ${at.offset}: ${message}`);
  });
  if (tree === null) throw new GeneratorBug(`${builtInFile} holds no models`);
  return readModels(tree).map((model) => ({
    ...model,
    builtIn: model.key === usersKey ? "extensible" : "private",
  }));
}
