import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  administratorRoles,
  guestRole,
  isGroupRole,
  registeredRole,
} from "../../vocabulary/accounts/role-names.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import { completeDocument, roleDocument } from "../../vocabulary/openapi/role-document.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import { defaultPlaces } from "../diagnostics/command.ts";
import { renderDiagnostics } from "../diagnostics/index.ts";
import { openApiDocument } from "../emit/openapi/document.ts";
import { printDocument } from "../emit/openapi/print-document.ts";
import { readDefinition } from "../pipeline/generate.ts";

/** The flags of `kirak openapi`. */
export interface DocumentFlags {
  readonly role: string | null;
  /** The file to write; null for the standard output. */
  readonly out: string | null;
  /** Compare with the file instead of writing it. */
  readonly check: boolean;
  readonly complete: boolean;
  readonly server: string | null;
}

/** Prints or writes the OpenAPI document of the models. Returns the exit code. */
export async function exportDocument(flags: DocumentFlags, root: string): Promise<0 | 1 | 2> {
  const { definition, diagnostics, sources } = await readDefinition({ root, ...defaultPlaces });
  if (definition === null) return failed(2, `${renderDiagnostics(diagnostics, sources)}\n`);
  const { role, out, check } = flags;
  const roles = rolesOf(definition);
  if (role !== null && !roles.includes(role)) return failed(2, `${unknownRole(role, roles)}\n`);
  const text = documentText(definition, flags);
  if (out === null) process.stdout.write(text);
  else if (!check) return write(resolve(root, out), text);
  else if (text !== textOf(resolve(root, out)))
    return failed(1, `${out} is out of date: run the command without --check\n`);
  return 0;
}

async function write(path: string, text: string): Promise<0 | 2> {
  try {
    await writeFile(path, text);
    return 0;
  } catch (error) {
    return failed(
      2,
      `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}

function documentText(definition: ServiceDefinition, { role, complete, server }: DocumentFlags): string {
  const whole = openApiDocument(definition);
  const seen = role === null ? whole : roleDocument(whole, role);
  const shaped = complete ? completeDocument(seen) : seen;
  return printDocument(server === null ? shaped : { ...shaped, servers: [{ url: server }] });
}

/** The roles of the app: those that every app has, and those that its models and routes name. */
function rolesOf({ models, routes }: ServiceDefinition): string[] {
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

function unknownRole(role: string, roles: readonly string[]): string {
  if (isGroupRole(role)) return `"${role}" stands for several roles; choose one of ${roles.join(", ")}`;
  return `no rule names the role "${role}"; ${didYouMean(role, roles) ?? `the roles are ${roles.join(", ")}`}`;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function failed<Code extends 1 | 2>(code: Code, message: string): Code {
  process.stderr.write(message);
  return code;
}
