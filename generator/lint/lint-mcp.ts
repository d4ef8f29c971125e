import { coversRole, guestRole, isGroupRole, registeredRole } from "../../vocabulary/accounts/role-names.ts";
import type { Operation } from "../../vocabulary/operations.ts";
import type { FieldDefinition, ModelDefinition } from "../definition/definition.ts";
import { exposedTools, rolesOfOperation } from "../definition/exposed-tools.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import type { LintContext, LintedModel } from "./lint-context.ts";

/** More tools of one role than this are a finding. */
const mostTools = 40;

/** The operations whose tool takes values of fields. */
const withData: readonly Operation[] = ["create", "update", "upsert"];

/** Finds tools that no role can call, tools without descriptions, and roles with too many tools. */
export function lintMcp(context: LintContext): void {
  for (const model of context.models) {
    if (model.definition.mcp.length === 0) continue;
    lintClosed(model, context);
    lintDescriptions(model, context);
  }
  lintRoutes(context);
  lintCount(context);
}

function lintClosed({ node, definition }: LintedModel, { report }: LintContext): void {
  for (const operation of definition.mcp) {
    if (rolesOfOperation(definition, operation).length > 0) continue;
    const message = `no rule opens ${operation} of model "${definition.key}", so no role has this tool`;
    report(
      "mcp-closed",
      placeOf(node.raw, operation),
      message,
      `add rules to "${operation}", or remove it from "mcp"`,
    );
  }
}

/** The item of the list, or the value `true`. */
function placeOf({ mcp, at }: LintedModel["node"]["raw"], operation: Operation): SourceSpan {
  return mcp?.operations?.find(({ value }) => value === operation)?.at ?? mcp?.at ?? at;
}

function lintDescriptions({ node, definition }: LintedModel, { report }: LintContext): void {
  const { key, description, mcp, fields } = definition;
  if (isEmpty(description))
    report(
      "mcp-description",
      node.raw.at,
      `model "${key}" has tools and no description: assistants learn its purpose from the name only`,
      'add a "description"',
    );
  if (!mcp.some((operation) => withData.includes(operation))) return;
  for (const field of fields) {
    const at = node.raw.fields.find(({ name }) => name === field.name)?.at;
    if (at === undefined || !isEmpty(field.description) || !isWritten(field, definition)) continue;
    const message = `"${field.name}" of model "${key}" is an argument of a tool and has no description`;
    report("mcp-description", at, message, 'add a "description", with the unit or the form of the value');
  }
}

function isWritten({ name }: FieldDefinition, { access }: ModelDefinition): boolean {
  return access.fields.find(({ field }) => field === name)?.write?.length !== 0;
}

function lintRoutes({ routes, manifest, report }: LintContext): void {
  if (manifest.mcp === null) return;
  for (const { mcp, description, method, path } of routes) {
    if (mcp === null || !isEmpty(mcp.description ?? description)) continue;
    const message = `${method.value} ${path.value} is a tool without a description`;
    report("mcp-description", mcp.name.at, message, 'add a "description" to the route, or to its "mcp"');
  }
}

function isEmpty(text: string | null): boolean {
  return text === null || text.trim() === "";
}

/** A role that no rule names has no more tools than guests or registered users. */
function lintCount({ definition, manifest, report }: LintContext): void {
  const tools = exposedTools(definition);
  if (manifest.mcp === null || tools.length <= mostTools) return;
  const named = tools.flatMap(({ roles }) => roles).filter((role) => !isGroupRole(role));
  const counts = [...new Set([guestRole, registeredRole, ...named])].map((role) => ({
    role,
    count: tools.filter(({ roles }) => roles.some((wide) => coversRole(wide, role))).length,
  }));
  const most = counts.reduce((one, other) => (other.count > one.count ? other : one));
  if (most.count <= mostTools) return;
  const message = `the role "${most.role}" has ${most.count} tools, more than ${mostTools}: assistants choose worse among many, and some hosts refuse them`;
  report(
    "mcp-many-tools",
    manifest.mcp.at,
    message,
    "expose fewer operations: npx kirak mcp tools shows what they cost",
  );
}
