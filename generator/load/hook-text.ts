/**
 * The text of a hook file in which comments and what stands in templates are blank, each place where it was; texts in quotes are
 * left as they are, a `//` in them too.
 */
export function withoutComments(text: string): string {
  const parts =
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:[^`\\]|\\[\s\S])*`/g;
  return text.replace(parts, (part, kept: string | undefined) => kept ?? part.replace(/[^\n`]/g, " "));
}
