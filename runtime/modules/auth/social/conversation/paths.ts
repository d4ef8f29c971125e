import { isJsonObject } from "../../../../../vocabulary/json.ts";
import { isProviderAddress } from "../../../../../vocabulary/social/provider-settings.ts";
import { type Document, member, scalar } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";

/** The statements of a sign-in by the prefixes of paths (`vocabulary/social/provider.ts`). */
export interface Answers {
  readonly profile?: Document;
  readonly details?: Document;
  readonly emails?: Document;
  readonly token?: Document;
  readonly id_token?: Document;
  readonly access_token?: Document;
  /** The parameters of the browser. */
  readonly form?: Document;
  readonly openid?: Document;
  readonly saml?: Document;
}

const prefixed = /^(profile|details|emails|token|id_token|access_token|form|openid|saml):(.*)$/s;
const names: ReadonlyMap<string, keyof Answers> = new Map(
  (
    ["profile", "details", "emails", "token", "id_token", "access_token", "form", "openid", "saml"] as const
  ).map((name) => [name, name]),
);

/** The value of a path as a string. */
type AsText = (value: Document) => string | null;

/** The text that a path leads to, or null. */
export function readPath(path: string, answers: Answers, asText: AsText = scalar): string | null {
  if (path.startsWith("=")) return readTemplate(path.slice(1), answers, asText);
  for (const choice of path.split("|")) {
    const text = readOne(choice, answers, asText);
    if (text !== null) return text;
  }
  return null;
}

/** A text with paths in it; null where one of them leads nowhere. */
function readTemplate(template: string, answers: Answers, asText: AsText): string | null {
  let isWhole = true;
  const text = template.replace(/\{([^{}]+)\}/g, (_, path: string) => {
    const found = readPath(path, answers, asText);
    if (found === null) isWhole = false;
    return found ?? "";
  });
  return isWhole ? text : null;
}

function readOne(choice: string, answers: Answers, asText: AsText): string | null {
  const [, prefix = "profile", rest = choice] = prefixed.exec(choice) ?? [];
  const answer = answers[names.get(prefix) ?? "profile"];
  // Names of attributes are addresses, with dots in them.
  if (prefix === "saml") return asText(member(answer, rest));
  const [way = "", part] = rest.split("#");
  const text = asText(down(answer, way));
  return part === "last" ? (text?.split("/").findLast((one) => one !== "") ?? null) : text;
}

/** Returns the value at `a.b[0].c`, `[k=v]` or `*`. */
function down(document: Document, way: string): Document {
  const steps = way.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [];
  return steps.reduce<Document>((value, step) => {
    if (step === "*") return isJsonObject(value) ? Object.values(value)[0] : undefined;
    if (!step.startsWith("[")) return member(value, step);
    const [key = "", wanted] = step.slice(1, -1).split("=");
    // XML has no lists: a single element is a list of one.
    const items: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return wanted === undefined
      ? items[Number(key)]
      : items.find((item) => scalar(member(item, key)) === wanted);
  }, document);
}

/** Returns the value of a name in a template; null if it has no value. */
export type Lookup = (name: string) => string | null;

/** Returns a template with its values, not encoded. Errors: `SocialFailure` for a missing value. */
export function fillText(template: string, lookup: Lookup): string {
  return template.replace(/\{([^{}"]+)\}/g, (_, name: string) => required(name, lookup));
}

/** Matches only at the start of a run: otherwise a long run of slashes takes quadratic time. */
const slashesAtEnd = /(?<!\/)\/+$/;

const hostPart = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(:\d{1,5})?$/;

/**
 * Returns the address of a template. A value is an address at the start, a part of a host in the host, and
 * encoded after it. Errors: `SocialFailure` for a value that is missing or does not fit.
 */
export function fillAddress(template: string, lookup: Lookup): URL {
  const filled = template.replace(/\{([^{}"]+)\}/g, (_, name: string, at: number) => {
    const value = required(name, lookup);
    if (at === 0) return baseAddress(name, value, template);
    if (!isInHost(template, at)) return encodedPart(name, value);
    const host = value.replace(/^https:\/\//, "").replace(slashesAtEnd, "");
    if (!hostPart.test(host)) throw new SocialFailure(`"${name}" is no part of a host`);
    return host;
  });
  if (!isProviderAddress(filled)) throw new SocialFailure("an address of the provider is not valid");
  return new URL(filled);
}

function isInHost(template: string, at: number): boolean {
  return /^[a-z]+:\/\/[^/?#]*$/.test(template.slice(0, at));
}

/** Encodes a part of a path or a query. Refuses `.` and `..`, which change the path even if encoded. */
function encodedPart(name: string, value: string): string {
  if (/^\.{1,2}$/.test(value) || !value.isWellFormed())
    throw new SocialFailure(`"${name}" is no part of an address`);
  return encodeURIComponent(value);
}

/** Text after it would be lost in a query. */
function baseAddress(name: string, value: string, template: string): string {
  const isWhole = template === `{${name}}`;
  if (!isProviderAddress(value) || (!isWhole && value.includes("?")))
    throw new SocialFailure(`"${name}" is no address of a provider`);
  return isWhole ? value : value.replace(slashesAtEnd, "");
}

function required(name: string, lookup: Lookup): string {
  const value = lookup(name);
  if (value === null) throw new SocialFailure(`"${name}" is missing`);
  return value;
}
