import type { Span } from "../diagnostics/index.ts";
import { withoutComments } from "../load/hook-text.ts";
import type { LintContext } from "./lint-context.ts";

/** What of a context is over when the work of `afterCommit` begins. */
const parts = "db|sql|jobs|mail|sms|storage";

/** Work of `afterCommit` that uses the context of the code around it, which has ended by then. */
export function lintAfterCommit({ code, report }: LintContext): void {
  for (const [file, text] of code) {
    if (!file.endsWith(".ts") || !text.includes("afterCommit")) continue;
    for (const { name, offset } of outerUses(withoutComments(text))) {
      const at: Span = { file, offset, length: name.length };
      const part = name.split(".").at(-1) ?? name;
      const message = `\`${name}\` is of the context around afterCommit, which has ended when this work begins`;
      report(
        "outer-context-after-commit",
        at,
        message,
        `take it from the context that it gets: afterCommit(async ({ ${part} }) => …)`,
      );
    }
  }
}

interface Use {
  readonly name: string;
  readonly offset: number;
}

/** By the words of the text: this is for warnings. */
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

/** Where the bracket closes that is open at an offset. */
function endOf(code: string, start: number): number {
  let depth = 1;
  for (let at = start; at < code.length; at++) {
    if (code[at] === "(") depth++;
    else if (code[at] === ")" && --depth === 0) return at;
  }
  return code.length;
}
