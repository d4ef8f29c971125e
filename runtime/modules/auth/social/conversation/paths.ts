import { isJsonObject } from "../../../../../vocabulary/json.ts";
import { isProviderAddress } from "../../../../../vocabulary/social/provider-settings.ts";
import { type Document, member, scalar } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";

/** The data of a sign-in, by the prefixes of paths (`vocabulary/social/provider.ts`). */
export interface Answers {
  readonly profile?: Document;
  readonly details?: Document;
  readonly emails?: Document;
  readonly token?: Document;
  readonly id_token?: Document;
  readonly access_token?: Document;
  /** The parameters of the callback. */
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

/** Converts a value to a string; null if the value is not accepted. */
type AsText = (value: Document) => string | null;

/** Returns the string at a path, or null. */
export function readPath(path: string, answers: Answers, asText: AsText = scalar): string | null {
  if (path.startsWith("=")) return readTemplate(path.slice(1), answers, asText);
  for (const choice of path.split("|")) {
    const text = readOne(choice, answers, asText);
    if (text !== null) return text;
  }
  return null;
}

/** Returns a template with the values of its paths; null if one has no value. */
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
  // Names of SAML attributes are often URLs, whose dots do not separate keys.
  if (prefix === "saml") return asText(member(answer, rest));
  const [keys = "", part] = rest.split("#");
  const text = asText(valueAt(answer, keys));
  return part === "last" ? (text?.split("/").findLast((one) => one !== "") ?? null) : text;
}

/** Returns the value at `a.b[0].c`, `[k=v]` or `*`. */
function valueAt(document: Document, keys: string): Document {
  const steps = keys.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [];
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
 * Returns the URL of a template. A value at the start must be a URL, and a value in the host a part of a host
 * name. Other values are encoded. Errors: `SocialFailure` for a missing or invalid value.
 */
export function fillAddress(template: string, lookup: Lookup): URL {
  const filled = template.replace(/\{([^{}"]+)\}/g, (_, name: string, at: number) => {
    const value = required(name, lookup);
    if (at === 0) return baseAddress(name, value, template);
    if (!isInHost(template, at)) return encodedPart(name, value);
    const host = value.replace(/^https:\/\//, "").replace(slashesAtEnd, "");
    if (!hostPart.test(host)) throw new SocialFailure(`"${name}" is not a valid part of a host name`);
    return host;
  });
  if (!isProviderAddress(filled)) throw new SocialFailure("a URL of the provider is not valid");
  return new URL(filled);
}

function isInHost(template: string, at: number): boolean {
  return /^[a-z]+:\/\/[^/?#]*$/.test(template.slice(0, at));
}

/** Encodes a part of a path or a query. Refuses `.` and `..`, which change the path even if encoded. */
function encodedPart(name: string, value: string): string {
  if (/^\.{1,2}$/.test(value) || !value.isWellFormed())
    throw new SocialFailure(`"${name}" is not a valid part of a URL`);
  return encodeURIComponent(value);
}

/** A base must have no query, which would contain the rest of the template. */
function baseAddress(name: string, value: string, template: string): string {
  const isWhole = template === `{${name}}`;
  if (!isProviderAddress(value) || (!isWhole && value.includes("?")))
    throw new SocialFailure(`"${name}" is not a valid provider address`);
  return isWhole ? value : value.replace(slashesAtEnd, "");
}

function required(name: string, lookup: Lookup): string {
  const value = lookup(name);
  if (value === null) throw new SocialFailure(`"${name}" is missing`);
  return value;
}
