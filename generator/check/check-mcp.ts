import { longestToolName, toolNameProblem } from "../../vocabulary/custom-routes.ts";
import { toolName } from "../../vocabulary/mcp/tools.ts";
import { modelOperations, operations } from "../../vocabulary/operations.ts";
import type { ReportDiagnostic, SourceSpan } from "../diagnostics/index.ts";
import type { RawModel, RawRoute } from "../load/raw.ts";
import { exposedOperations } from "../resolve/operations-of-model.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks what models and routes expose as tools of the module `mcp`, and the names of the tools. */
export function checkMcp(context: CheckContext): void {
  const { models, routes, manifest, report } = context;
  const taken = new Map<string, { readonly what: string; readonly at: SourceSpan }>();
  for (const model of models) {
    checkOperations(model, report);
    for (const { name, at, what } of toolsIn(model)) {
      taken.set(name, { what, at });
      if (name.length <= longestToolName) continue;
      const message = `the tool "${name}" has a name of ${name.length} characters, more than ${longestToolName}`;
      report(
        "mcp-tool-name",
        at,
        message,
        "choose a shorter key for the model: many assistants refuse longer names",
      );
    }
  }
  for (const route of routes) checkTool(route, taken, report);
  if (manifest === null) return;
  if (manifest.mcp === null) reportOff(context);
  const reserved = models.find(({ key }) => key === "mcp");
  if (manifest.mcp !== null && reserved !== undefined)
    report(
      "reserved-model",
      reserved.at,
      '"mcp" is reserved for the tools of the module mcp',
      "choose another key",
    );
}

function checkOperations(model: RawModel, report: ReportDiagnostic): void {
  const { key, mcp, internal, readOnly } = model;
  if (mcp === null) return;
  if (internal) {
    const message = `model "${key}" is internal, so it has no operations that could be tools`;
    report("mcp-operation", mcp.at, message, 'remove "mcp", or "internal"');
    return;
  }
  const known: readonly string[] = modelOperations(model);
  for (const { value, at } of mcp.operations ?? []) {
    // The shape check reports an operation that does not exist.
    if (known.includes(value) || !operations.some((operation) => operation === value)) continue;
    const message = `"${value}" of model "${key}" cannot be a tool: ${readOnly ? "the model can only be read" : "without soft delete the model has no restore"}`;
    report("mcp-operation", at, message, readOnly ? "remove it" : 'remove it, or add "soft_delete": true');
  }
}

function toolsIn(model: RawModel): { name: string; what: string; at: SourceSpan }[] {
  const { key, mcp } = model;
  return exposedOperations(model).map((operation) => ({
    name: toolName(key, operation),
    what: `${operation} of model "${key}"`,
    at: mcp?.operations?.find(({ value }) => value === operation)?.at ?? mcp?.at ?? model.at,
  }));
}

function checkTool(
  { method, path, mcp, schemas }: RawRoute,
  taken: Map<string, { readonly what: string; readonly at: SourceSpan }>,
  report: ReportDiagnostic,
): void {
  if (mcp === null) return;
  const { value: name, at } = mcp.name;
  const what = `${method.value} ${path.value}`;
  const problem = toolNameProblem(name);
  const other = taken.get(name);
  if (problem !== null) report("mcp-tool-name", at, `the name ${JSON.stringify(name)} of a tool ${problem}`);
  else if (other === undefined) taken.set(name, { what, at });
  else {
    const message = `the tool of ${what} has the name "${name}", which is also that of ${other.what}`;
    report("mcp-tool-name", at, message, "choose another name", [other.at]);
  }
  const lacks = schemas.raw ? '"raw"' : "contentType" in schemas.answer ? 'a "content_type"' : null;
  if (lacks === null) return;
  const message = `${what} cannot be a tool: a route with ${lacks} takes or answers bytes, and tools take and answer JSON`;
  report("invalid-route", at, message, 'remove "mcp"');
}

function reportOff({ models, routes, report }: CheckContext): void {
  const message = 'the module mcp is off, so "mcp" exposes nothing';
  const hint = 'add "mcp" to "modules" of the manifest, or remove it here';
  for (const { mcp } of models) if (mcp !== null) report("mcp-off", mcp.at, message, hint);
  for (const { mcp } of routes) if (mcp !== null) report("mcp-off", mcp.name.at, message, hint);
}
