import { posix } from "node:path";
import type { ServiceDefinition } from "../definition/definition.ts";
import type { MigrationPlan, PlannedMigration } from "../migrations/plan.ts";
import type { Snapshot } from "../migrations/schema.ts";
import { printSchema } from "../migrations/schema-file.ts";
import { documentPath, type EmittedFile, snapshotPath } from "../output/output-files.ts";
import { printFile } from "./file.ts";
import { escapeInvisible } from "./literal.ts";
import { openApiDocument } from "./openapi/document.ts";
import { printDocument } from "./openapi/print-document.ts";
import {
  accessMatrixOutput,
  migrationLinkOutputs,
  migrationOutputs,
  modelOutputs,
  type OutputFile,
  serviceOutputs,
  usersOutputs,
  type View,
} from "./outputs.ts";
import { loadTemplate, type Template } from "./templates.ts";

/** Prints every file of a service. `out` is the output folder, relative to the project. */
export function emit(definition: ServiceDefinition, plan: MigrationPlan, out: string): EmittedFile[] {
  const migration = plan.migration === null ? [] : [plan.migration];
  const builtIn = definition.models.filter((model) => model.builtIn);
  return [
    ...emitModels(definition, out),
    ...print(usersOutputs, builtIn, out, madeFrom),
    ...joined(print(serviceOutputs(plan), [definition], out, madeFrom)),
    { path: documentPath, text: printDocument(openApiDocument(definition)) },
    ...print(migrationLinkOutputs, plan.customLinks, out, ({ file }) => madeFrom({ source: file })),
    ...emitMigrations(migration, plan.after, definition.source, out),
  ];
}

/** Prints the files of the app's models. */
export function emitModels(definition: ServiceDefinition, out: string): EmittedFile[] {
  const own = definition.models.filter(({ builtIn }) => !builtIn);
  return print(modelOutputs(definition.models), own, out, madeFrom);
}

/** Prints migrations, and the schema after all of them. `source` is the models file. */
export function emitMigrations(
  migrations: readonly PlannedMigration[],
  schema: Snapshot,
  source: string,
  out: string,
): EmittedFile[] {
  return [
    ...print(migrationOutputs, migrations, out, () => madeFrom({ source })),
    { path: snapshotPath, text: printSchema(schema) },
  ];
}

/** Prints the access matrix. Later runs compare their access with it. */
export function emitAccessMatrix(definition: ServiceDefinition, out: string): EmittedFile[] {
  return print([accessMatrixOutput], [definition], out, madeFrom);
}

function print<Subject>(
  outputs: readonly OutputFile<Subject>[],
  subjects: readonly Subject[],
  out: string,
  origin: (subject: Subject) => string,
): EmittedFile[] {
  const table = outputs.map((output) => ({ ...output, template: loadTemplate(output.template) }));
  return subjects.flatMap((subject) =>
    table
      .filter(({ when }) => when(subject))
      .map(({ path, view, template }) => {
        const file = path(subject);
        return {
          path: file,
          text: printView(posix.join(out, file), origin(subject), view(subject), template),
        };
      }),
  );
}

/** Joins the texts with the same path. */
function joined(files: readonly EmittedFile[]): EmittedFile[] {
  const paths = new Set(files.map(({ path }) => path));
  return [...paths].map((path) => {
    const parts = files.filter((file) => file.path === path);
    return { path, text: parts.map(({ text }) => text).join("") };
  });
}

function printView(file: string, origin: string, view: View, template: Template): string {
  const body = template(view);
  return view.imports === null ? body : printFile(file, origin, view.imports, body);
}

/** The origin of a file, for its first line. */
function madeFrom({ source }: { readonly source: string }): string {
  return `from ${escapeInvisible(source)}. Edit that file, not this one.`;
}
