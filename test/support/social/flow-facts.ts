import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What is known of a provider, apart from the product's own table (`test/http/social/social-backends.json`). */
export interface FlowFact {
  readonly name: string;
  readonly protocol: string;
  readonly authorize_url: string;
  readonly token_url: string;
  readonly token_method: "GET" | "POST";
  readonly userinfo_url: string | null;
  readonly scopes: readonly string[];
  readonly uid_path: string;
  readonly email_path: string | null;
  readonly email_verified_path: string | null;
  readonly first_name_path: string | null;
  readonly last_name_path: string | null;
  readonly full_name_path: string | null;
  readonly extra: {
    readonly request_token_url?: string;
    readonly request_token_method?: "GET" | "POST";
    readonly userinfo_auth?: string;
    readonly userinfo_method?: "POST";
    readonly userinfo_params?: Readonly<Record<string, string>>;
    readonly profile_url?: string;
    readonly authorize_params?: Readonly<Record<string, string>>;
    readonly openid_url?: string;
    readonly token_headers?: Readonly<Record<string, string>>;
    readonly jwks_url?: string;
  };
}

const path = join(import.meta.dirname, "../../http/social/social-backends.json");
const all: readonly FlowFact[] = JSON.parse(readFileSync(path, "utf8"));

/** The facts of all providers of a protocol. */
export function factsOf(protocol: string): readonly FlowFact[] {
  return all.filter((fact) => fact.protocol === protocol);
}

/** The facts of one provider. */
export function factOf(name: string): FlowFact {
  const fact = all.find((one) => one.name === name);
  if (fact === undefined) throw new Error(`there are no facts of ${name}`);
  return fact;
}

/** Who signs in at every provider. */
export const person = {
  uid: "90071992547409931",
  first: "Ann",
  last: "Lee",
  full: "Ann Lee",
} as const;

/** The e-mail that somebody has at a provider. */
export function emailAt({ name }: FlowFact): string {
  return `${name}@example.com`;
}

/** What each of the answers must say, by the prefix of the paths; `main` without one. */
export function answersOf(fact: FlowFact): Readonly<Record<string, object>> {
  const answers: Record<string, object> = {};
  const say = (paths: string | null, value: unknown) => {
    const [first] = (paths ?? "").split("|");
    if (first === undefined || first === "") return;
    const [, prefix = "main", way = first] = /^(token|profile|form|openid):(.*)$/.exec(first) ?? [];
    answers[prefix] = Object.assign(
      answers[prefix] ?? {},
      place(answers[prefix] ?? {}, way.split("#")[0] ?? "", value),
    );
  };
  say(fact.uid_path, fact.uid_path === "email" ? emailAt(fact) : person.uid);
  say(fact.email_path, emailAt(fact));
  say(fact.email_verified_path, true);
  say(fact.first_name_path, person.first);
  say(fact.last_name_path, person.last);
  say(fact.full_name_path, person.full);
  return answers;
}

/** Puts a value where a path leads: `a.b[0].c`, `[k=v]`. */
function place(root: object, way: string, value: unknown): object {
  const steps = way.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [];
  const grow = (node: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return value;
    const list = Array.isArray(node) ? node : [];
    if (step === "[0]") return [grow(list[0], rest)];
    const [, key, wanted] = /^\[(.+)=(.+)\]$/.exec(step) ?? [];
    if (key !== undefined) return [{ [key]: false }, grow({ [key]: wanted === "true", ...list[1] }, rest)];
    const object = typeof node === "object" && node !== null ? node : {};
    return { ...object, [step]: grow(Object.entries(object).find(([name]) => name === step)?.[1], rest) };
  };
  return Object(grow(root, steps));
}
