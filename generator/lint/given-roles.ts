import type { Sources } from "../diagnostics/index.ts";

/** Code that is about accounts may give them roles. */
const aboutAccounts = /\b(users?|accounts?)\b/i;

/** A text in quotes, in TypeScript or SQL. */
const quoted = /(["'`])([^"'`\n\\]{1,64})\1/g;

/**
 * What code of the project may give as a role: each text in files that are about accounts which nothing is compared with. It is
 * a guess, that rather finds a role too many than one too few: only who runs the code knows.
 */
export function rolesGivenIn(code: Sources): ReadonlySet<string> {
  const texts = [...code.values()].filter((text) => aboutAccounts.test(text));
  return new Set(texts.flatMap(givenIn));
}

function givenIn(text: string): string[] {
  return [...text.matchAll(quoted)].flatMap(({ index, 0: whole, 2: found = "" }) => {
    const before = /([=!]=|\bcase)\s*$/.test(text.slice(Math.max(0, index - 10), index));
    const after = /^\s*[=!]=/.test(text.slice(index + whole.length, index + whole.length + 10));
    return before || after ? [] : [found];
  });
}
