/** How callers use a part of the API. `filters by` includes orders and selections. */
export type Use = "sends" | "reads" | "filters by";

const uses: readonly Use[] = ["sends", "reads", "filters by"];

type FindingKind =
  | ("gone" | "filters" | "type" | "gate" | "optional" | "required" | "default" | "other")
  | ("operation" | "access" | "credential")
  // A whole model: it is gone, has another name, or is not soft-deleted any more.
  | ("model" | "soft delete")
  // Not breaking, but worth knowing.
  | "new value";

/** A change that callers notice. Findings with the same subject and words are one. */
export interface ApiFinding {
  readonly kind: FindingKind;
  /** `books.title`, `books.fetch` or `POST /slots/:id/book body.seats` */
  readonly subject: string;
  /** The change, before the names in `list`. Empty for what is gone: `by` decides which words it gets. */
  readonly what: string;
  readonly list?: readonly string[];
  /** The uses of callers who notice it, or the words for them. */
  readonly by: string | readonly Use[];
}

/** A change of the API, and the callers who notice it. */
export interface BreakingChange {
  readonly change: string;
  readonly notices: string;
}

/** The report if a former file is missing or cannot be read. */
export const unknownApi =
  "not known, because the former openapi.json or graphql/schema.graphql cannot be read";

/** The changes of the API since a former state. */
export interface ApiChanges {
  readonly breaking: readonly BreakingChange[];
  /** Changes that break no request, but can surprise a client, such as a new enum value. */
  readonly worthKnowing: readonly BreakingChange[];
}

/** The findings without those that follow from another one, each once. */
export function reported(found: readonly ApiFinding[]): ApiChanges {
  const all = grouped(withoutConsequences(merged(found)));
  const lines = (isBreaking: boolean) =>
    all.filter(({ kind }) => (kind !== "new value") === isBreaking).map(changeOf);
  return { breaking: lines(true), worthKnowing: lines(false) };
}

function merged(found: readonly ApiFinding[]): ApiFinding[] {
  const all = new Map<string, ApiFinding>();
  for (const finding of found) {
    const { kind, subject, what, list = [], by } = finding;
    // The type of a field has other words in requests than in responses.
    const key = JSON.stringify([kind, subject, kind === "type" || what]);
    const known = all.get(key);
    if (known === undefined) all.set(key, finding);
    else
      all.set(key, {
        ...(by.includes("reads") ? finding : known),
        list: [...new Set([...(known.list ?? []), ...list])],
        by: typeof by === "string" || typeof known.by === "string" ? by : [...known.by, ...by],
      });
  }
  return [...all.values()];
}

/** Kinds that follow from other kinds with the same subject. */
const causes: { readonly [Kind in FindingKind]?: readonly FindingKind[] } = {
  filters: ["gone", "type"],
  optional: ["gate"],
  default: ["required"],
};

function withoutConsequences(found: readonly ApiFinding[]): ApiFinding[] {
  const known = new Set(found.map(({ kind, subject }) => `${kind} ${subject}`));
  return found.filter(({ kind, subject }) => {
    const [model, part] = subject.split(".");
    const isMark = part === "restore" || part === "deleted_at";
    if (isMark && known.has(`soft delete ${model}`)) return false;
    return causes[kind]?.some((cause) => known.has(`${cause} ${subject}`)) !== true;
  });
}

/** Most operations that one line names. */
const mostNamed = 6;

/** Joins the operations that changed alike: `books.fetch, books.count`. */
function grouped(found: readonly ApiFinding[]): ApiFinding[] {
  const groups = new Map<string, ApiFinding[]>();
  for (const [index, finding] of found.entries()) {
    const { kind, what, by } = finding;
    const isOfOperation = kind === "operation" || kind === "access" || kind === "credential";
    const key = isOfOperation ? JSON.stringify([what, by]) : String(index);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    const names = [first, ...others].map(({ subject }) => subject);
    const more = names.length > mostNamed ? [`and ${names.length - mostNamed} more`] : [];
    const subject = [...names.slice(0, mostNamed), ...more].join(", ");
    return [{ ...first, subject, what: first.what.replace(/^\w+/, (verb) => plurals[verb] ?? verb) }];
  });
}

const plurals: Readonly<Record<string, string>> = { is: "are", has: "have", needs: "need", takes: "take" };

function changeOf({ subject, what, list = [], by }: ApiFinding): BreakingChange {
  const words = what === "" && typeof by !== "string" ? goneWords(by) : what;
  const change = [subject, words, list.join(", ")].filter((part) => part !== "").join(" ");
  if (typeof by === "string") return { change, notices: by };
  const known = uses.filter((use) => by.includes(use));
  return { change, notices: `anyone who ${known.join(", ").replace(/, ([^,]+)$/, " or $1")} it` };
}

function goneWords(by: readonly Use[]): string {
  if (by.includes("reads")) return by.includes("sends") ? "is gone" : "is not in responses any more";
  return by.includes("sends") ? "is not accepted any more" : "is not a filter any more";
}
