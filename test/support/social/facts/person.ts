import { sign } from "node:crypto";
import { realmKey } from "./declared.ts";
import { DocumentWith, type Placed } from "./document-with.ts";
import type { Fact } from "./facts.ts";
import { notes, team } from "./notes.ts";

/** Which of the answers that the facts allow are given. */
export interface Variant {
  /** Which of the places that a path names: the first, or the last. */
  readonly place?: "first" | "last";
  /** Whether the e-mail counts as confirmed, where the provider says so at all. */
  readonly confirmed?: boolean;
  readonly withoutUid?: boolean;
}

/** Who is expected in the database. */
export interface Expected {
  readonly uid: string;
  readonly email: string | null;
  readonly is_verified: boolean;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** The answers by the prefix that the facts' paths have. */
export type Prefix = "access_token" | "emails" | "form" | "id_token" | "profile" | "token" | "userinfo";

export const domainPrefix = "acme-shop";
export const shop = "acme.myshopify.com";

/** Somebody who signs in, and what a provider says of them. */
export class Person {
  readonly expected: Expected;
  readonly #answers = new Map<string, DocumentWith>();
  readonly #last: boolean;

  constructor(fact: Fact, { place = "first", confirmed = true, withoutUid = false }: Variant = {}) {
    const note = notes[fact.name] ?? {};
    this.#last = place === "last";
    const email = `ann.${fact.name.toLowerCase()}@example.com`;
    const uid = this.#uid(fact, email, withoutUid);
    const hasEmail = fact.email_path !== null && note.emailIsWorthless !== true;
    // The last place of an e-mail is one that nobody confirmed.
    const isConfirmed = confirmed && !(this.#last && (fact.email_path ?? "").includes("|"));
    // Drip knows people by their e-mail alone.
    if (!withoutUid || fact.uid_path !== fact.email_path) this.#place(fact.email_path, email);
    if (isConfirmed || !this.#last) this.#place(fact.email_verified_path, flag(fact, isConfirmed));
    this.expected = {
      uid,
      email: hasEmail ? email : placeholder(fact.name, uid),
      is_verified: hasEmail && isConfirmed && fact.email_verified_path !== null,
      ...this.#name(fact),
    };
    for (const [path, value] of Object.entries(note.profile ?? {}))
      this.answer("userinfo").place(path, value);
    for (const [path, value] of Object.entries(note.token ?? {})) this.answer("token").place(path, value);
    for (const [path, value] of Object.entries(note.success ?? {}))
      for (const prefix of ["token", "userinfo"] as const) this.answer(prefix).place(path, value);
    // Flags that the facts do not name prove nothing.
    const lie = { email_verified: true, verified_email: true, is_verified: true };
    if (fact.email_verified_path === null) this.answer("userinfo").add(lie);
    if (note.percentEncoded === true) for (const answer of this.#answers.values()) answer.encodeTexts();
  }

  /** What is said at the addresses that a prefix stands for. */
  answer(prefix: Prefix): DocumentWith {
    const answer = this.#answers.get(prefix) ?? new DocumentWith();
    this.#answers.set(prefix, answer);
    return answer;
  }

  /** The access token of a realm that says in it who somebody is. */
  realmToken(audience: string, exp: number): string {
    const claims = { ...JSON.parse(this.answer("access_token").toJson()), aud: [audience, "account"], exp };
    const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const text = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
    return `${text}.${sign("sha256", Buffer.from(text), realmKey.privateKey).toString("base64url")}`;
  }

  #uid(fact: Fact, email: string, without: boolean): string {
    const path = fact.uid_path;
    if (path === "form:shop") return shop;
    const uid = path === fact.email_path ? email : uidOf(fact.name);
    const template = /^=\{(.+)\}:\{(.+)\}$/.exec(path);
    const isNumeric = notes[fact.name]?.numericUid === true;
    if (!without) this.#place(template?.[2] ?? path, isNumeric ? { digits: uid } : uid);
    return template === null ? uid : `${template[1] === "team.id" ? team : domainPrefix}:${uid}`;
  }

  #name(fact: Fact): Pick<Expected, "first_name" | "last_name"> {
    const { first_name_path: first, last_name_path: last, full_name_path: full } = fact;
    const whole = first === null && last === null;
    this.#place(first, "Zoë");
    this.#place(last, "de la Cruz");
    this.#place(full, whole ? "Zoë de la Cruz" : "Somebody Else");
    return {
      first_name: first !== null || (whole && full !== null) ? "Zoë" : null,
      last_name: last !== null || (whole && full !== null) ? "de la Cruz" : null,
    };
  }

  #place(path: string | null, value: Placed): void {
    const places = path?.split("|") ?? [];
    const chosen = this.#last ? places.at(-1) : places[0];
    if (chosen === undefined) return;
    const [, prefix = "userinfo", way = chosen] =
      /^(access_token|emails|form|id_token|profile|token):(.*)$/.exec(chosen) ?? [];
    const answer = this.#answers.get(prefix) ?? new DocumentWith();
    this.#answers.set(prefix, answer);
    answer.place(way, value);
  }
}

/** A number that no double holds; a text where providers' ids are texts. */
export function uidOf(name: string): string {
  return notes[name]?.numericUid === true ? "90071992547409931" : `uid-of-${name}`;
}

function placeholder(name: string, uid: string): string | null {
  return name === "instagram" || name === "tiktok" ? `${name}_${uid}@social.invalid` : null;
}

function flag({ extra }: Fact, confirmed: boolean): Placed {
  switch (extra.email_verified_kind) {
    case "number":
      return { digits: confirmed ? "1" : "0" };
    case "string":
      return String(confirmed);
    case "timestamp":
      return confirmed ? "2019-03-04T05:06:07.000Z" : "";
    default:
      return confirmed;
  }
}
