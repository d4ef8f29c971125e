import { type Creation, creations, fillsExport } from "../../vocabulary/hook-names.ts";
import { withoutComments } from "../load/hook-text.ts";
import type { RawHooks } from "../load/read-hooks.ts";
import type { LintContext } from "./lint-context.ts";

/** Before-hooks of new records that do not say what they fill in, so that callers are not told what they must send. */
export function lintHooks({ models, modelHooks, report }: LintContext): void {
  for (const model of models) {
    const { key, filled } = model.definition;
    const hooks = modelHooks.get(key);
    const unsaid = creations.filter((operation) => filled[operation] === null);
    const required = model.definition.fields.filter((field) => field.required).map(({ name }) => name);
    if (hooks === undefined || unsaid.length === 0 || required.length === 0) continue;
    const names = unsaid.map((operation) => `before_${operation}`);
    const message = `${names.join(" and ")} of model "${key}" may fill in any required field, so that records may lack each of them until the hook has run`;
    report("prefer-fills", placeOf(hooks, names), message, proposal(hooks, unsaid, required), [
      model.node.raw.at,
    ]);
  }
}

/** The name of the first of the hooks; the beginning of a file that has it from another one. */
function placeOf({ file, text }: RawHooks, names: readonly string[]) {
  const found = new RegExp(`\\b(?:${names.join("|")})\\b`).exec(withoutComments(text));
  return { file, offset: found?.index ?? 0, length: found?.[0].length ?? 1 };
}

function proposal(hooks: RawHooks, unsaid: readonly Creation[], required: readonly string[]): string {
  const lists = unsaid.map((operation) => {
    const names = assignedIn(partOf(hooks, `before_${operation}`), required);
    return {
      operation,
      names,
      text: `before_${operation}: [${names.map((name) => JSON.stringify(name)).join(", ")}]`,
    };
  });
  const line = `add export const ${fillsExport} = { ${lists.map(({ text }) => text).join(", ")} } as const;`;
  const open = lists.some(({ names }) => names.length === 0);
  return open ? `${line} with the required fields that the hook fills in, if any` : line;
}

/** The text of a hook, as far as it is seen: from its export to the next one; of one that is another hook, the text of that. */
function partOf(hooks: RawHooks, name: string, seen: readonly string[] = []): string {
  const code = withoutComments(hooks.text);
  const start = new RegExp(`^\\s*export\\s+(?:async\\s+)?(?:function|const)\\s+${name}\\b`, "m").exec(code);
  if (start === null) return "";
  const rest = code.slice(start.index + start[0].length);
  const [part = ""] = rest.split(/^export\b/m);
  const [, other] = /^[^=]*=\s*(\w+)\s*;?\s*$/.exec(part) ?? [];
  return other === undefined || seen.includes(other) ? part : partOf(hooks, other, [...seen, name]);
}

/** Names of the fields that a text assigns, as `order.reference = …`, `??=` or in `{ ...order, reference: … }`. */
function assignedIn(code: string, names: readonly string[]): string[] {
  const copies = [...code.matchAll(/\{\s*\.\.\.\w+,([^{}]*)\}/g)].map(([, rest]) => rest).join(",");
  return names.filter(
    (name) =>
      new RegExp(`\\.${name}\\s*(?:\\?\\?|\\|\\|)?=(?![=>])`).test(code) ||
      new RegExp(`(?:^|,)\\s*${name}\\s*(?:[:,]|$)`).test(copies),
  );
}
