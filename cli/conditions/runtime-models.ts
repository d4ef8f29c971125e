import type { FieldDefinition, ModelDefinition, ServiceDefinition } from "#generator/definition/definition";
import { idKinds } from "#generator/definition/stored";
import { keysWithId, storedField, storedModel } from "#generator/emit/views/stored-view";
import type { Models } from "#runtime/data/sql/index";
import type { Field, Model } from "#runtime/models/index";

/** The models of a definition as the runtime has them, by key, without `generated/`. */
export function runtimeModels({ models }: ServiceDefinition): Models {
  return new Map(models.map((model) => [model.key, modelOf(model)]));
}

function modelOf(model: ModelDefinition): Model {
  const { key, typeName, table, slug, softDelete, maxLimit, fields, relations, checks } = model;
  return {
    key,
    typeName,
    table,
    ...storedModel(model),
    slug,
    id: idKinds[model.idType],
    softDelete,
    maxLimit,
    fields: Object.fromEntries(fields.map((field) => [field.name, fieldOf(field)])),
    relations: Object.fromEntries(relations.map(({ name, ...relation }) => [name, relation])),
    uniqueKeys: keysWithId(model),
    foreignKeys: fields.flatMap(({ name, foreignKey }) =>
      foreignKey === null ? [] : [{ name: foreignKey.name, field: name }],
    ),
    ...(checks.length > 0 && {
      checks: checks.map(({ constraint, name, field, message }) => ({ constraint, name, field, message })),
    }),
  };
}

function fieldOf(field: FieldDefinition): Field {
  const { kind, nullable, searchable, preset } = field;
  return {
    kind,
    ...(nullable && { nullable }),
    ...(field.enum !== null && { enum: field.enum }),
    ...(field.decimal !== null && { decimal: field.decimal }),
    ...(field.default !== undefined && { default: field.default }),
    ...(preset !== undefined && {
      preset: {
        ...preset.value,
        ...(preset.on === "write" && { on: preset.on }),
        ...(preset.required && { required: preset.required }),
      },
    }),
    ...(searchable && { searchable }),
    ...storedField(field),
  };
}
