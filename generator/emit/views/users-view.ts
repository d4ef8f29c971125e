import type { ModelDefinition } from "../../definition/definition.ts";
import { type Import, importFromKirak } from "../file.ts";
import { docComment } from "../literal.ts";
import { type EntryView, type PropertyView, partsView, propertiesView, usesJson } from "./model-view.ts";
import { fieldRules } from "./policy-view.ts";
import { addedToUsers, extendsUsers, openedColumns } from "./users-extension.ts";
import { schemasView } from "./validators-view.ts";

/** The view of `templates/users-model.hbs`: the app's extension of `users`, and the types of the whole model. */
export interface UsersModelView {
  readonly imports: readonly Import[];
  readonly fields: readonly EntryView[];
  readonly relations: readonly EntryView[];
  readonly uniqueKeys: readonly string[];
  readonly foreignKeys: readonly string[];
  readonly doc: string | null;
  readonly row: readonly PropertyView[];
  readonly create: readonly PropertyView[];
}

/** The view of `templates/users-policy.hbs`: the columns of `users` that someone reads or writes. */
export interface UsersPolicyView {
  readonly imports: readonly Import[];
  readonly type: string;
  readonly fields: readonly EntryView[];
}

/** The view of `templates/users-validators.hbs`: the JSON Schemas of the columns that the app adds. */
export interface UsersValidatorsView {
  readonly imports: readonly Import[];
  readonly properties: readonly EntryView[];
  readonly required: string;
}

/** Whether anyone reads or writes a column of `users`. */
export function opensUsers(model: ModelDefinition): boolean {
  return openedColumns(model).length > 0;
}

/** The view of `models/users/model.ts`. */
export function usersModelView(model: ModelDefinition): UsersModelView {
  const own = addedToUsers(model);
  const json = usesJson(own.fields) ? ["Json"] : [];
  return {
    imports: [
      { from: importFromKirak("hooks"), names: ["AuthHooks"], typeOnly: true },
      { from: importFromKirak("model"), names: [...json, "OrderBy", "Selection", "Where"], typeOnly: true },
      {
        from: importFromKirak("users"),
        names: ["type BuiltInUsersCreate", "type BuiltInUsersRow", "extendUsers"],
      },
    ],
    ...partsView(own),
    doc: docComment(model.description),
    ...propertiesView(own.fields),
  };
}

/** The view of `models/users/policy.ts`. */
export function usersPolicyView(model: ModelDefinition): UsersPolicyView {
  const own = extendsUsers(model);
  return {
    imports: [
      { from: importFromKirak("users"), names: ["defineUsersPolicy"] },
      ...(own ? [{ from: "./model.ts", names: ["model"], typeOnly: true }] : []),
    ],
    type: own ? "<typeof model>" : "",
    fields: openedColumns(model).map(fieldRules),
  };
}

/** The view of `models/users/validators.ts`. */
export function usersValidatorsView(model: ModelDefinition): UsersValidatorsView {
  return {
    imports: [{ from: importFromKirak("users"), names: ["extendUsersValidators"] }],
    ...schemasView(addedToUsers(model).fields),
  };
}
