import type { ModelDefinition, ServiceDefinition } from "#generator/definition/definition";
import type { Sources } from "#generator/diagnostics/index";
import type { Transaction } from "#runtime/core/database/index";
import type { ModelEntry } from "#runtime/data/operations/index";
import type { Models } from "#runtime/data/sql/index";
import type { Model } from "#runtime/models/index";
import type { Service } from "#runtime/server/service";
import { suggestion } from "#vocabulary/nearest";
import { type Operation, operations } from "#vocabulary/operations";
import { WrongArguments } from "./explanation.ts";

/** The app that is explained. `connection` is a transaction that is rolled back. */
export interface ExplainedApp {
  readonly definition: ServiceDefinition;
  readonly sources: Sources;
  readonly service: Service;
  readonly connection: Transaction;
}

/** An operation of a model. */
export interface Subject {
  readonly app: ExplainedApp;
  readonly definition: ModelDefinition;
  readonly entry: ModelEntry;
  readonly model: Model;
  readonly models: Models;
  readonly operation: Operation;
}

/** Finds the operation of `<model>.<operation>`. Errors: WrongArguments with the nearest name. */
export function explainedSubject(app: ExplainedApp, name: string): Subject {
  const [key = "", asked = ""] = name.split(".", 2);
  const keys = app.definition.models.map((model) => model.key);
  const definition = app.definition.models.find((model) => model.key === key);
  const entries = [...app.service.models, ...app.service.internalModels];
  const entry = entries.find(({ model }) => model.key === key);
  if (definition === undefined || entry === undefined)
    throw new WrongArguments(
      `there is no model "${key}"${suggestion(key, keys) || `; the models are ${keys.join(", ")}`}`,
    );
  const operation = operations.find((one) => one === asked);
  if (operation === undefined) {
    const hint = suggestion(asked, operations) || `; the operations are ${operations.join(", ")}`;
    throw new WrongArguments(`there is no operation "${asked}"${hint}`);
  }
  return { app, definition, entry, model: entry.model, models: runtimeModelsOf(app.service), operation };
}

/** All models by key, internal ones too. */
export function runtimeModelsOf({ models, internalModels }: Service): Models {
  return new Map([...models, ...internalModels].map(({ model }) => [model.key, model]));
}

/** Whether a value can be printed: no password, and some role reads the field. */
export function showsOf({ models }: ServiceDefinition): (model: string, field: string) => boolean {
  const hidden = new Set(
    models.flatMap(({ key, fields, access }) => [
      ...fields.filter(({ kind }) => kind === "password").map(({ name }) => `${key}.${name}`),
      ...access.fields
        .filter(({ read, owner }) => read?.length === 0 && owner?.reads !== true)
        .map(({ field }) => `${key}.${field}`),
    ]),
  );
  return (model, field) => !hidden.has(`${model}.${field}`);
}
