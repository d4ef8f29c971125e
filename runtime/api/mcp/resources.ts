import { isJsonObject, type Json } from "../../../vocabulary/json.ts";
import type { Part } from "../../../vocabulary/openapi/document.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import type { ExposedModel, RoleTools } from "./exposed-tools.ts";

const root = "kirak://models";
const mimeType = "text/markdown";

/** The models with a tool for a role, and the operations that they have for it. */
function modelsOf({ targets }: RoleTools): ReadonlyMap<ExposedModel, readonly Operation[]> {
  const models = new Map<ExposedModel, Operation[]>();
  for (const target of targets.values()) {
    if (!("model" in target)) continue;
    models.set(target.model, [...(models.get(target.model) ?? []), target.operation]);
  }
  return models;
}

/** The resources of a role: a list of its models, and a page for each. */
export function listedResources(tools: RoleTools) {
  const models = [...modelsOf(tools).keys()].map(({ entry }) => entry.model.key);
  return [
    { uri: root, name: "models", description: "The models, and what you can do with them.", mimeType },
    ...models.map((key) => ({
      uri: `${root}/${key}`,
      name: key,
      description: `The fields of ${key}.`,
      mimeType,
    })),
  ];
}

/** The Markdown of a resource; null for an unknown one. */
export function resourceText(tools: RoleTools, uri: string): string | null {
  const models = modelsOf(tools);
  if (uri === root)
    return `# Models\n\n${[...models].map(([{ entry }, operations]) => `- \`${entry.model.key}\`: ${operations.join(", ")}\n`).join("")}`;
  const found = [...models].find(([{ entry }]) => uri === `${root}/${entry.model.key}`);
  return found === undefined ? null : modelText(tools, found[0], found[1], models);
}

function modelText(
  { document }: RoleTools,
  { entry: { model } }: ExposedModel,
  operations: readonly Operation[],
  others: ReadonlyMap<ExposedModel, unknown>,
): string {
  const { schemas } = document.components;
  const part = objectOf(schemas[`${model.typeName}Part`]);
  const fields = Object.entries(objectOf(part["properties"]));
  const keys = new Set([...others.keys()].map(({ entry }) => entry.model.key));
  const relations = Object.entries(model.relations).flatMap(([name, relation]) =>
    keys.has(relation.model) && fields.some(([field]) => field === relation.field)
      ? [
          `- \`${name}\`: ${relation.kind === "has_many" ? "many" : "one"} of \`${relation.model}\`, by \`${relation.field}\`\n`,
        ]
      : [],
  );
  const rows = fields.map(([name, schema]) => {
    const { description = "", ...type } = objectOf(schema);
    return `| \`${name}\` | ${cell(typeText(type))} | ${cell(String(description))} |\n`;
  });
  return [
    `# ${model.key}\n\n`,
    typeof part["description"] === "string" ? `${part["description"]}\n\n` : "",
    `Operations: ${operations.join(", ")}\n\n`,
    `| Field | Type | Meaning |\n|---|---|---|\n${rows.join("")}`,
    relations.length === 0 ? "" : `\n## Relations\n\n${relations.join("")}`,
  ].join("");
}

const bounds = {
  minimum: "at least",
  maximum: "at most",
  minLength: "characters at least",
  maxLength: "characters at most",
  pattern: "pattern",
} as const;

/** `string or null; one of draft, published`. */
function typeText({ type, format, enum: values, items, ...rest }: Part): string {
  const types = Array.isArray(type) ? type.join(" or ") : String(type ?? "any JSON");
  return [
    format === undefined ? types : `${types} (${String(format)})`,
    ...(Array.isArray(values) ? [`one of ${values.filter((value) => value !== null).join(", ")}`] : []),
    ...(isJsonObject(items) ? [`each ${typeText(objectOf(items))}`] : []),
    ...Object.entries(bounds).flatMap(([keyword, text]) =>
      rest[keyword] === undefined ? [] : [`${text} ${String(rest[keyword])}`],
    ),
  ].join("; ");
}

/** A text in a cell of a table. */
function cell(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|");
}

function objectOf(value: Json | undefined): Part {
  return isJsonObject(value) ? value : {};
}
