import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { isJsonObject } from "../../../../vocabulary/json.ts";
import { type Document, documentOf } from "../outbound/index.ts";
import { SocialFailure } from "../social-failure.ts";
import type { Surroundings } from "./protocol.ts";
import { Remembered } from "./remembered.ts";

/** The keys that providers sign with, by the address that publishes them. */
export class KeySets {
  readonly #sets: Remembered<JWTVerifyGetKey>;

  constructor({ outbound, now }: Surroundings) {
    this.#sets = new Remembered(async (url) => {
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
        return (await this.#sets.newer(url))(header, token);
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
