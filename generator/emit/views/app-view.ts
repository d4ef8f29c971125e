import type { MailDefinition, ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import { type Import, importFromKirak } from "../file.ts";
import { propertyName, stringLiteral } from "../literal.ts";
import { camelCase, identifiers } from "../typescript-names.ts";
import { extendsUsers } from "./users-extension.ts";

/** The view of `templates/app.hbs`: the app's types for the runtime. */
export interface AppView {
  readonly imports: readonly Import[];
  readonly models: readonly RegisteredModel[];
  /** Codes of custom errors, as a type; null if there are none. */
  readonly errors: string | null;
  /** Custom mails with the types of their values; null if there are none. */
  readonly mails: readonly RegisteredMail[] | null;
  /** Jobs with the types of their default exports; null if there are none. */
  readonly jobs: readonly RegisteredModel[] | null;
  /** The type of `context.kysely`; null if it is off. */
  readonly kysely: string | null;
}

interface RegisteredMail {
  readonly name: string;
  readonly values: string;
}

interface RegisteredModel {
  readonly name: string;
  readonly type: string;
}

/** The view of `app.ts`. */
export function appView({ models, errors, mails, jobs, kysely }: ServiceDefinition): AppView {
  const nameOf = identifiers(["MailValue", "Register"], "model");
  const registered = models.map((model) => ({ model, type: nameOf(typesOf(model)) }));
  const ofJobs = jobs.map((job) => ({
    ...job,
    main: nameOf(camelCase(`${job.name}_job`.replaceAll("-", "_"))),
  }));
  return {
    // TypeScript augments a module only in a file that imports it.
    imports: [
      { from: importFromKirak(), names: mails.some(takesValues) ? ["MailValue"] : [], typeOnly: true },
      ...(kysely ? [{ from: importFromKirak("kysely"), names: ["Kysely"], typeOnly: true }] : []),
      ...registered.map(importOf).sort(byPlace),
      ...(kysely ? [{ from: "./database.ts", names: ["Database"], typeOnly: true }] : []),
      ...ofJobs.map(({ file, main }) => ({ from: file, main, typeOnly: true })),
    ],
    models: registered.map(({ model, type }) => ({ name: propertyName(model.key), type })),
    mails: mails.length === 0 ? null : mails.map(mailOf),
    jobs:
      jobs.length === 0
        ? null
        : ofJobs.map(({ name, main }) => ({ name: propertyName(name), type: `typeof ${main}` })),
    kysely: kysely ? "Kysely<Database>" : null,
    errors: errors.length === 0 ? null : errors.map(({ code }) => stringLiteral(code)).join(" | "),
  };
}

function takesValues({ needed, optional }: MailDefinition): boolean {
  return needed.length + optional.length > 0;
}

function mailOf(mail: MailDefinition): RegisteredMail {
  const needed = mail.needed.map((name) => `${propertyName(name)}: MailValue`);
  const optional = mail.optional.map((name) => `${propertyName(name)}?: MailValue | null`);
  const values = takesValues(mail) ? `{ ${[...needed, ...optional].join("; ")} }` : "object";
  return { name: propertyName(mail.name), values };
}

function typesOf({ typeName }: ModelDefinition): string {
  return `${typeName}Types`;
}

function importOf({ model, type }: { readonly model: ModelDefinition; readonly type: string }): Import {
  const isBare = model.builtIn && !extendsUsers(model);
  const exported = isBare ? "BuiltInUsersTypes" : typesOf(model);
  const name = exported === type ? type : `${exported} as ${type}`;
  return {
    from: isBare ? importFromKirak("users") : `./models/${model.key}/model.ts`,
    names: [name],
    typeOnly: true,
  };
}

/** Packages come first. */
function byPlace(a: Import, b: Import): number {
  return Number(a.from.startsWith(".")) - Number(b.from.startsWith("."));
}
