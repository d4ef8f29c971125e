/** One relation in the path of a rule. */
export interface PathHop {
  readonly from: { readonly model: string; readonly column: string };
  /** `>` for `belongs_to`, `<` for `has_many` and `has_one`. */
  readonly sign: string;
  readonly to: { readonly model: string; readonly column: string };
  /** Whether only the first row counts. */
  readonly first: boolean;
  /** Whether deleted rows are left out. */
  readonly live: boolean;
}

const flagsPattern = String.raw`(?: \((?:first|live|first, live)\))?`;

/** The text of a path: `tasks.project_id > projects.id > organisations.id (live)`. */
export const hopsPattern = String.raw`\w+\.\w+ [<>] \w+\.\w+${flagsPattern}(?:(?:, \w+\.\w+)? [<>] \w+\.\w+${flagsPattern})*`;

/** The column of a relation, unless the text of its path names another one. */
function usualColumn(relation: string, sign: string): string {
  return sign === ">" ? `${relation}_id` : "id";
}

/** Prints the hops of a path, such as `project.organisation`. */
export function hopsText(path: string, hops: readonly PathHop[]): string {
  const relations = path.split(".");
  const texts = hops.map(({ from, sign, to, first, live }, index) => {
    const flags = [...(first ? ["first"] : []), ...(live ? ["live"] : [])];
    const isUsual = index > 0 && from.column === usualColumn(relations[index] ?? "", sign);
    const start = isUsual ? "" : `${index > 0 ? "," : ""} ${from.model}.${from.column}`;
    return `${start} ${sign} ${to.model}.${to.column}${flags.length === 0 ? "" : ` (${flags.join(", ")})`}`;
  });
  return texts.join("").trimStart();
}

/** Parses the text of a path. */
export function hopsIn(path: string, text: string): PathHop[] {
  const relations = path.split(".");
  const parts = text.matchAll(/(?:(\w+)\.(\w+) )?([<>]) (\w+)\.(\w+)(?: \(([^)]*)\))?/g);
  const hops: PathHop[] = [];
  for (const [, start, column, sign = "", model = "", key = "", flags = ""] of parts) {
    const usual = usualColumn(relations[hops.length] ?? "", sign);
    hops.push({
      from: { model: start ?? hops.at(-1)?.to.model ?? "", column: column ?? usual },
      sign,
      to: { model, column: key },
      first: flags.startsWith("first"),
      live: flags.endsWith("live"),
    });
  }
  return hops;
}
