import { describe, expect, it } from "vitest";
import { inServiceSchema } from "#runtime/core/config/index";

describe("the URL of a database with a schema for Kirak's tables", () => {
  const path = encodeURIComponent("-c search_path=kirak,public");

  it.each<[url: string, schema: string | null, expected: string]>([
    ["postgres://db/app", null, "postgres://db/app"],
    ["postgres://db/app", "kirak", `postgres://db/app?options=${path}`],
    ["postgres://db/app?sslmode=require", "kirak", `postgres://db/app?sslmode=require&options=${path}`],
    [
      "postgres://db/app?options=-c%20jit%3Doff",
      "kirak",
      `postgres://db/app?options=${encodeURIComponent("-c jit=off ")}${path}`,
    ],
    [
      "postgres://db/app?options=-c%20search_path%3Dmine",
      "kirak",
      "postgres://db/app?options=-c%20search_path%3Dmine",
    ],
    ["not a url", "kirak", "not a url"],
  ])("%s in %s", (url, schema, expected) => {
    expect(inServiceSchema(url, schema)).toBe(expected);
  });
});
