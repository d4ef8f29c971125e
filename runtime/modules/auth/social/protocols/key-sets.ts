import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { isJsonObject } from "../../../../../vocabulary/json.ts";
import { type Document, documentOf } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";
import type { ProtocolContext } from "./protocol.ts";

/** How long what providers publish is remembered, in milliseconds. */
const longestAge = 3_600_000;

/** A value younger than this is not fetched again, in milliseconds. */
const freshFor = 60_000;

/** A fetch: when it began, and what came of it. */
interface CachedFetch<Value> {
  readonly at: number;
  readonly value: Promise<Value>;
}

/**
 * What was fetched, by its address. Of any number of callers at once one fetches; what failed is not remembered, and takes
 * nothing away from what was there.
 */
export class FetchCache<Value> {
  readonly #values = new Map<string, CachedFetch<Value>>();
  readonly #pending = new Map<string, Promise<Value>>();
  readonly #latest = new Map<string, CachedFetch<Value>>();
  readonly #fetch: (url: URL) => Promise<Value>;
  readonly #now: () => number;

  constructor(fetch: (url: URL) => Promise<Value>, now: () => number) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** The value of an address, at most an hour old. */
  get(url: URL): Promise<Value> {
    const known = this.#values.get(url.href);
    if (known !== undefined && this.#now() - known.at < longestAge) return known.value;
    return this.#pending.get(url.href) ?? this.#renew(url);
  }

  /** A newer value, where the last look was a minute ago; else what came of that one. */
  refresh(url: URL): Promise<Value> {
    const latest = this.#latest.get(url.href);
    return latest !== undefined && this.#now() - latest.at < freshFor ? latest.value : this.#renew(url);
  }

  /** Forgets a value that turned out to be of no use. */
  delete(url: URL): void {
    this.#values.delete(url.href);
  }

  #renew(url: URL): Promise<Value> {
    const { href } = url;
    const value = this.#fetch(url);
    const fetched = { at: this.#now(), value };
    this.#pending.set(href, value);
    this.#latest.set(href, fetched);
    const end = () => {
      if (this.#pending.get(href) === value) this.#pending.delete(href);
    };
    value.then(
      () => {
        end();
        this.#values.set(href, fetched);
      },
      // The caller of the fetch gets the error.
      end,
    );
    return value;
  }
}

/** The keys that providers sign with, by the address that publishes them. */
export class KeySets {
  readonly #sets: FetchCache<JWTVerifyGetKey>;

  constructor({ outbound, now }: ProtocolContext) {
    this.#sets = new FetchCache(async (url) => {
      const { createLocalJWKSet } = await import("jose");
      return createLocalJWKSet(keySet(documentOf(await outbound.ask({ method: "GET", url }))));
    }, now);
  }

  /** Picks the key of a token by its `kid`; one that is not there may have been added meanwhile. */
  at(url: URL): JWTVerifyGetKey {
    return async (header, token) => {
      try {
        return await (await this.#sets.get(url))(header, token);
      } catch (error) {
        const { errors } = await import("jose");
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return (await this.#sets.refresh(url))(header, token);
      }
    };
  }
}

function keySet(document: Document): JSONWebKeySet {
  if (isKeySet(document)) return document;
  throw new SocialFailure("the provider's keys are none");
}

function isKeySet(document: Document): document is JSONWebKeySet {
  if (!isJsonObject(document)) return false;
  const { keys } = document;
  return Array.isArray(keys) && keys.every((key) => isJsonObject(key) && typeof key["kty"] === "string");
}
