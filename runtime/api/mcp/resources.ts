import { isJsonObject } from "../../../vocabulary/json.ts";
import { type Part, partIn } from "../../../vocabulary/openapi/document.ts";
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
  const lines = [...models].map(
    ([{ entry }, operations]) => `- \`${entry.model.key}\`: ${operations.join(", ")}\n`,
  );
  if (uri === root) return `# Models\n\n${lines.join("")}`;
  const found = [...models.keys()].find(({ entry }) => uri === `${root}/${entry.model.key}`);
  return found === undefined ? null : modelText(tools, found, models);
}

function modelText(
  tools: RoleTools,
  model: ExposedModel,
  models: ReadonlyMap<ExposedModel, readonly Operation[]>,
): string {
  const { key, relations } = model.entry.model;
  const { description, properties } = partOf(tools, key);
  const fields = Object.entries(partIn(properties)).map(([name, schema]) => ({
    name,
    schema: partIn(schema),
  }));
  const keys = new Set([...models.keys()].map(({ entry }) => entry.model.key));
  const reads = (of: string, field: string) => field in partIn(partOf(tools, of)["properties"]);
  const related = Object.entries(relations).flatMap(([name, to]) => {
    // `field` is of this model, and `references` of the other one.
    if (!keys.has(to.model) || !reads(key, to.field) || !reads(to.model, to.references)) return [];
    const [count, by] = [
      to.kind === "has_many" ? "many" : "one",
      to.kind === "belongs_to" ? to.field : to.references,
    ];
    return [`- \`${name}\`: ${count} of \`${to.model}\`, by \`${by}\`\n`];
  });
  const rows = fields.map(
    ({ name, schema }) =>
      `| \`${name}\` | ${cell(typeText(schema))} | ${cell(String(schema["description"] ?? ""))} |\n`,
  );
  return [
    `# ${key}\n\n`,
    typeof description === "string" ? `${description}\n\n` : "",
    `Operations: ${models.get(model)?.join(", ")}\n\n`,
    `| Field | Type | Meaning |\n|---|---|---|\n${rows.join("")}`,
    related.length === 0 ? "" : `\n## Relations\n\n${related.join("")}`,
  ].join("");
}

/** The schema of a model's rows, with the fields that the role reads. */
function partOf({ document, names }: RoleTools, key: string): Part {
  return partIn(document.components.schemas[`${names.get(key)?.schema}Part`]);
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
    ...(isJsonObject(items) ? [`each ${typeText(partIn(items))}`] : []),
    ...Object.entries(bounds).flatMap(([keyword, text]) =>
      rest[keyword] === undefined ? [] : [`${text} ${String(rest[keyword])}`],
    ),
  ].join("; ");
}

/** A text in a cell of a table. */
function cell(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|");
}
