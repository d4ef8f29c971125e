import type { ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import { door, type Import } from "../file.ts";
import { propertyName, stringLiteral } from "../literal.ts";
import { identifiers } from "../typescript-names.ts";
import { extendsUsers } from "./users-extension.ts";

/** What `templates/app.hbs` prints: what the types of the runtime are told of this app. */
export interface AppView {
  readonly imports: readonly Import[];
  readonly models: readonly RegisteredModel[];
  /** Codes of the app's own errors, as a type; null where it has none. */
  readonly errors: string | null;
}

interface RegisteredModel {
  readonly name: string;
  readonly type: string;
}

/** The view of `app.ts`. */
export function appView({ models, errors }: ServiceDefinition): AppView {
  const nameOf = identifiers(["Register"], "model");
  const registered = models.map((model) => ({ model, type: nameOf(typesOf(model)) }));
  return {
    // A module is there to be added to where somebody imports it.
    imports: [{ from: door(), names: [], typeOnly: true }, ...registered.map(importOf).sort(byPlace)],
    models: registered.map(({ model, type }) => ({ name: propertyName(model.key), type })),
    errors: errors.length === 0 ? null : errors.map(({ code }) => stringLiteral(code)).join(" | "),
  };
}

function typesOf({ typeName }: ModelDefinition): string {
  return `${typeName}Types`;
}

function importOf({ model, type }: { readonly model: ModelDefinition; readonly type: string }): Import {
  const isBare = model.builtIn && !extendsUsers(model);
  const exported = isBare ? "BuiltInUsersTypes" : typesOf(model);
  const name = exported === type ? type : `${exported} as ${type}`;
  return { from: isBare ? door("users") : `./models/${model.key}/model.ts`, names: [name], typeOnly: true };
}

/** Packages come first. */
function byPlace(a: Import, b: Import): number {
  return Number(a.from.startsWith(".")) - Number(b.from.startsWith("."));
}
