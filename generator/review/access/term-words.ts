import { beginsAtItself } from "../../../vocabulary/conditions.ts";
import { type Term, termText } from "../../conditions/index.ts";

/** What a comparison is about: `whose project's owner_id`; what is no field of the row at hand stands after `where`. */
export function subjectWords(term: Term, depth: number): string {
  if (term.kind !== "field") return `where ${objectWords(term, depth)}`;
  const names = term.name.split(".");
  return beginsAtItself(names, depth)
    ? `where the ${ofPath(names.slice(1))} of the row itself`
    : `whose ${ofPath(names)}`;
}

/** What something is compared with: `its reporter_id`, `the caller's id`, `15 minutes ago`, `'open'`. */
export function objectWords(term: Term, depth: number): string {
  switch (term.kind) {
    case "value":
      return termText(term);
    case "user":
      return `the caller's ${term.column}`;
    case "placeholder":
      return term.name === "now" ? momentWords(term) : claims[term.name];
    case "field": {
      const names = term.name.split(".");
      return beginsAtItself(names, depth)
        ? `the ${ofPath(names.slice(1))} of the row itself`
        : `its ${ofPath(names)}`;
    }
  }
}

const claims = {
  user_id: "the caller's id",
  role: "the caller's role",
  email: "the caller's e-mail address",
};

function momentWords({ offset }: Extract<Term, { kind: "placeholder" }>): string {
  if (offset === undefined) return "now";
  const amount = Math.abs(offset.amount);
  const span = `${amount} ${offset.unit}${amount === 1 ? "" : "s"}`;
  return offset.amount < 0 ? `${span} ago` : `${span} from now`;
}

/** `project's organisation's name` */
export function ofPath(names: readonly string[]): string {
  return names.join("'s ");
}

/** `'a', 'b' or 'c'` */
export function listed(words: readonly string[]): string {
  const [last = "", ...others] = [...words].reverse();
  return others.length === 0 ? last : `${others.reverse().join(", ")} or ${last}`;
}

/** One of what a relation leads to: `memberships` are many, of which one is `a membership`. */
export function oneOf(relation: string, many: boolean, article: boolean): string {
  const name = many ? singular(relation) : relation;
  if (!article) return name;
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

function singular(name: string): string {
  if (/[^aeiou]ies$/.test(name)) return `${name.slice(0, -"ies".length)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(name)) return name.slice(0, -"es".length);
  return /[^siu]s$/.test(name) ? name.slice(0, -1) : `row of ${name}`;
}
