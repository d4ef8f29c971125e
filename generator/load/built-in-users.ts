import { userFields } from "../../vocabulary/accounts/user-fields.ts";
import { GeneratorBug } from "../diagnostics/bug.ts";
import { parseJson } from "./json-tree.ts";
import type { RawModel } from "./raw.ts";
import { readModels } from "./read-models.ts";

/** The file that declares the built-in fields, as spans of them name it. It is no file of the user's. */
export const builtInFile = "vocabulary/accounts/user-fields.ts";

/** The built-in model, which apps may extend and refer to. The other tables of the service itself are no models. */
export const usersKey = "users";

let users: RawModel | null = null;

/** The accounts of the service itself (contract: "Internal tables"), read as models of apps are. */
export function builtInUsers(): RawModel {
  users ??= readBuiltIn();
  return users;
}

function readBuiltIn(): RawModel {
  const fields = Object.entries(userFields).map(([name, { kind, ...field }]) => {
    const { nullable = false, ...rest } = { nullable: undefined, ...field };
    return [name, { type: kind, required: !nullable, ...rest }];
  });
  const users = { description: "Who has an account.", internal: true, fields: Object.fromEntries(fields) };
  const tree = parseJson(builtInFile, JSON.stringify({ [usersKey]: users }), (_, at, message) => {
    throw new GeneratorBug(`${at.file} at ${at.offset}: ${message}`);
  });
  const [model] = tree === null ? [] : readModels(tree);
  if (model === undefined) throw new GeneratorBug(`${builtInFile} holds no fields`);
  return { ...model, builtIn: true };
}
