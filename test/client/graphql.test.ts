import { parse, print } from "graphql";
import { beforeEach, describe, expect, test } from "vitest";
import { fixtureClient } from "../support/client.ts";
import { frontOf } from "../support/front.ts";
import { testService } from "../support/service.ts";

const service = await testService();
const front = await frontOf(service.origin);
const { createClient } = await fixtureClient();
const { graphql } = createClient({ url: front.url });
const text = "query ($limit: Int) { folders(limit: $limit) { name } }";

/** As GraphQL Code Generator writes it with `documentMode: "string"`. */
class TypedDocumentString extends String {
  readonly #value: string;
  constructor(value: string) {
    super(value);
    this.#value = value;
  }
  override toString(): string {
    return this.#value;
  }
}

/** As Code Generator writes it: without its text. */
const withoutText = parse(text, { noLocation: true });

beforeEach(async () => {
  await service.store({ folders: [{ name: "a" }, { name: "b" }] });
  front.reset();
});

test.each([
  ["a string", text],
  ["a TypedDocumentString", new TypedDocumentString(text)],
  ["a parsed document with its text", parse(text)],
])("%s", async (_, document) => {
  expect(await graphql(document, { limit: 1 })).toEqual({ folders: [{ name: "a" }] });
  expect(JSON.parse(front.arrived[0]?.body ?? "")).toEqual({ query: text, variables: { limit: 1 } });
});

describe("a parsed document without its text", () => {
  test("is printed", async () => {
    const client = createClient({ url: front.url, print });
    expect(await client.graphql(withoutText)).toEqual({ folders: [{ name: "a" }, { name: "b" }] });
  });

  test("throws at once without the option, which the message names", () => {
    expect(() => graphql(withoutText)).toThrow(
      new TypeError('The option "print" is needed for this document.'),
    );
    expect(front.arrived).toEqual([]);
  });
});

test("errors are those of the envelope", async () => {
  await expect(graphql("{ nothing { id } }")).rejects.toMatchObject({ error: "NOT_FOUND", status: 404 });
  await expect(graphql("{", {})).rejects.toMatchObject({ error: "VALIDATION_ERROR", status: 400 });
});

test("options come third", async () => {
  await graphql(text, {}, { headers: { "x-one": "1" } });
  expect(front.arrived[0]?.headers["x-one"]).toBe("1");
  const signal = AbortSignal.abort("no");
  expect(await graphql(text, {}, { signal }).catch((thrown) => thrown)).toBe("no");
});
