import {
  administratorRoles,
  guestRole,
  isGroupRole,
  registeredRole,
} from "../../vocabulary/accounts/role-names.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import type { OpenApiDocument } from "../../vocabulary/openapi/document.ts";
import { roleDocument } from "../../vocabulary/openapi/role-document.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import { defaultPlaces } from "../diagnostics/command.ts";
import { renderDiagnostics } from "../diagnostics/index.ts";
import { openApiDocument } from "../emit/openapi/document.ts";
import { readDefinition } from "../pipeline/generate.ts";

/** A document, or the lines that say why it cannot be made. */
export type ReadDocument = { readonly document: OpenApiDocument } | { readonly problem: string };

/** The OpenAPI document of the models of a project, whole or of one role. */
export async function readDocument(root: string, role: string | null): Promise<ReadDocument> {
  const { definition, diagnostics, sources } = await readDefinition({ root, ...defaultPlaces });
  if (definition === null) return { problem: `${renderDiagnostics(diagnostics, sources)}\n` };
  const document = openApiDocument(definition);
  if (role === null) return { document };
  const roles = appRoles(definition);
  if (!roles.includes(role)) return { problem: `${unknownRole(role, roles)}\n` };
  return { document: roleDocument(document, role) };
}

/** The roles of the app: those that every app has, and those that its models and routes name. */
export function appRoles({ models, routes }: ServiceDefinition): string[] {
  const named = models.flatMap(({ access: { operations, upsert, fields } }) => [
    ...[...Object.values(operations), upsert.insert, upsert.update].flat().map(({ role }) => role),
    ...fields.flatMap(({ read, write }) => [...(read ?? []), ...(write ?? [])]),
  ]);
  const all = [
    guestRole,
    registeredRole,
    ...administratorRoles,
    ...named,
    ...routes.flatMap(({ access }) => access),
  ];
  return [...new Set(all)].filter((role) => !isGroupRole(role)).sort();
}

/** The problem with a role that no rule names, with the nearest name. */
export function unknownRole(role: string, roles: readonly string[]): string {
  if (isGroupRole(role)) return `"${role}" stands for several roles; choose one of ${roles.join(", ")}`;
  return `no rule names the role "${role}"; ${didYouMean(role, roles) ?? `the roles are ${roles.join(", ")}`}`;
}
