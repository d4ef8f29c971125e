import { isProviderAddress } from "../../../../vocabulary/social/provider-settings.ts";
import { SocialFailure } from "../social-failure.ts";

/** Gives the value of a name in a template; null where there is none. */
export type Lookup = (name: string) => string | null;

/** The text of a template, each value as it is. Errors: `SocialFailure` for a value that is missing. */
export function fillText(template: string, lookup: Lookup): string {
  return template.replace(/\{([^{}"]+)\}/g, (_, name: string) => required(name, lookup));
}

/** At the front of a run alone: what a provider says would else be searched from each of its slashes. */
const slashesAtEnd = /(?<!\/)\/+$/;

const hostPart = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(:\d{1,5})?$/;

/**
 * The address of a template. Whatever a value holds, it stays where it stands: at the front it is an address itself, in the
 * host a part of a host, and behind that it is encoded. Errors: `SocialFailure` for a value that is missing, or does not fit.
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
  if (!isProviderAddress(filled)) throw new SocialFailure("an address of the provider is none");
  return new URL(filled);
}

function isInHost(template: string, at: number): boolean {
  return /^[a-z]+:\/\/[^/?#]*$/.test(template.slice(0, at));
}

/** A part of a path or a query. Dots alone would lead to another path, however they are written. */
function encodedPart(name: string, value: string): string {
  if (/^\.{1,2}$/.test(value) || !value.isWellFormed())
    throw new SocialFailure(`"${name}" is no part of an address`);
  return encodeURIComponent(value);
}

/** What follows it would be lost in a query. */
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
