/** One relation on a path of a rule, as its line spells it. */
export interface PathHop {
  readonly from: { readonly model: string; readonly column: string };
  /** `>` is a `belongs_to`, `<` its other side. */
  readonly sign: string;
  readonly to: { readonly model: string; readonly column: string };
  /** Of several rows the first alone counts. */
  readonly first: boolean;
  /** Deleted rows do not count. */
  readonly live: boolean;
}

const hop = String.raw`\w+\.\w+ [<>] \w+\.\w+(?: \((?:first|live|first, live)\))?`;
/** Where a path leads, in its line. */
export const hopsPattern = `${hop}(?:, ${hop})*`;

/** Reads it. */
export function hopsIn(text: string): PathHop[] {
  const parts = text.matchAll(/(\w+)\.(\w+) ([<>]) (\w+)\.(\w+)(?: \(([^)]*)\))?/g);
  return [...parts].map(([, model = "", column = "", sign = "", target = "", key = "", flags = ""]) => ({
    from: { model, column },
    sign,
    to: { model: target, column: key },
    first: flags.startsWith("first"),
    live: flags.endsWith("live"),
  }));
}

/** A path as its line spells it. */
export function hopsText(hops: readonly PathHop[]): string {
  return hops
    .map(({ from, sign, to, first, live }) => {
      const flags = [...(first ? ["first"] : []), ...(live ? ["live"] : [])];
      const way = `${from.model}.${from.column} ${sign} ${to.model}.${to.column}`;
      return flags.length === 0 ? way : `${way} (${flags.join(", ")})`;
    })
    .join(", ");
}
