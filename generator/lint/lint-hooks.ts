import { type CreatingOperation, creatingOperations, fillsExport } from "../../vocabulary/hook-names.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import { type RawHooks, withoutComments } from "../load/read-hooks.ts";
import type { LintContext } from "./lint-context.ts";

/** Parts of a context that cannot be used in `afterCommit` any more. */
const parts = "db|sql|kysely|jobs|mail|sms|storage";

/** Finds callbacks of `afterCommit` that use the outer context, which has ended by then. */
export function lintAfterCommit({ code, report }: LintContext): void {
  for (const [file, text] of code) {
    if (!file.endsWith(".ts") || !text.includes("afterCommit")) continue;
    for (const { name, offset } of outerUses(withoutComments(text))) {
      const at: SourceSpan = { file, offset, length: name.length };
      const part = name.split(".").at(-1) ?? name;
      const message = `\`${name}\` belongs to the context outside afterCommit, which has ended when this callback runs`;
      report(
        "outer-context-after-commit",
        at,
        message,
        `use the context that the callback gets: afterCommit(async ({ ${part} }) => …)`,
      );
    }
  }
}

interface Use {
  readonly name: string;
  readonly offset: number;
}

/** A search in the text, which is good enough for warnings. */
function outerUses(text: string): Use[] {
  const code = text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, (part) => " ".repeat(part.length));
  return [...code.matchAll(/(?:(\w+)\s*\.\s*)?\bafterCommit\s*\(/g)].flatMap(
    ({ 0: call, 1: outer, index }) => {
      const start = index + call.length;
      const work = code.slice(start, endOf(code, start));
      const head = /^\s*(?:async\s+)?(?:function\b[^(]*)?(?:\(([^()]*)\)|(\w+))\s*(?:=>|\{)/.exec(work);
      if (head === null) return [];
      const [declaration, inBrackets, single = ""] = head;
      const given = new Set((inBrackets ?? single).match(/\w+/g));
      const isOwn = (name: string) => given.has(name) || bindingOf(name).test(work);
      const uses = new RegExp(`(?<![\\w.$])(?:(\\w+)\\s*\\.\\s*)?(${parts})(?=\\s*[.\`\\[<])`, "g");
      return [...work.slice(declaration.length).matchAll(uses)].flatMap((use) => {
        const [, holder, part = ""] = use;
        const isOuter =
          holder === undefined ? !isOwn(part) && !imports(code, part) : holder === outer && !isOwn(holder);
        const name = holder === undefined ? part : `${holder}.${part}`;
        return isOuter ? [{ name, offset: start + declaration.length + use.index }] : [];
      });
    },
  );
}

const bindingOf = (name: string) => new RegExp(`\\b(?:const|let|var)\\b[^=;]*\\b${name}\\b`);

function imports(code: string, name: string): boolean {
  return new RegExp(`^import\\b[^;]*\\b${name}\\b[^;]*\\bfrom\\b`, "m").test(code);
}

/** The offset of the bracket that closes the one at an offset. */
function endOf(code: string, start: number): number {
  let depth = 1;
  for (let at = start; at < code.length; at++) {
    if (code[at] === "(") depth++;
    else if (code[at] === ")" && --depth === 0) return at;
  }
  return code.length;
}

/** Finds before-hooks of new records without a list of the fields that they fill in. Callers then see no required fields. */
export function lintHooks({ models, modelHooks, report }: LintContext): void {
  for (const model of models) {
    const { key, filled } = model.definition;
    const hooks = modelHooks.get(key);
    const unsaid = creatingOperations.filter((operation) => filled[operation] === null);
    const required = model.definition.fields.filter((field) => field.required).map(({ name }) => name);
    if (hooks === undefined || unsaid.length === 0 || required.length === 0) continue;
    const names = unsaid.map((operation) => `before_${operation}`);
    const message = `${names.join(" and ")} of model "${key}" ${names.length === 1 ? "does" : "do"} not list the required fields that the hook fills in, so callers can omit all of them`;
    report("prefer-fills", placeOf(hooks, names), message, proposal(hooks, unsaid, required), [
      model.node.raw.at,
    ]);
  }
}

/** The position of the first hook name in the file; the start of the file if it has none. */
function placeOf({ file, text }: RawHooks, names: readonly string[]) {
  const found = new RegExp(`\\b(?:${names.join("|")})\\b`).exec(withoutComments(text));
  return { file, offset: found?.index ?? 0, length: found?.[0].length ?? 1 };
}

function proposal(
  hooks: RawHooks,
  unsaid: readonly CreatingOperation[],
  required: readonly string[],
): string {
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

/** The text of a hook, from its export to the next one. If the hook is an alias of another hook, the text of that hook. */
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
