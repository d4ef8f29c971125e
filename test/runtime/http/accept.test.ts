import { expect, test } from "vitest";
import { isPreferred } from "#runtime/http/accept";

const graphql = "application/graphql-response+json";
const json = "application/json";

test.each([
  [graphql],
  [graphql.toUpperCase()],
  [`${graphql}; charset=utf-8`],
  [`${graphql}, ${json}`],
  [`${json}, ${graphql}`],
  [`text/html ,\t${graphql} ; q=0.5 , ${json} ; q=0.5`],
  [`${graphql},${json};q=0.9`],
  [`${graphql};Q=1.000, ${json};q=0.999`],
  [`${graphql};q=0.1`],
  [`${graphql};q=0.8, application/*;q=0.8, */*;q=0.1`],
  ["a range of its own goes before wildcards", `${graphql};q=0.8, */*, ${json};q=0.8`],
  [`${graphql};q=0.2, ${graphql};charset=utf-8, ${json};q=0.9`],
  [`text/plain;x=",${json},", ${graphql};q=0.5`],
  [`text/plain;x="\\",${json},", ${graphql};q=0.5`],
  ["what refuses JSON", `${graphql};q=0.1, ${json};q=0, */*`],
])("%s", (...names) => {
  expect(isPreferred(names.at(-1), graphql, json)).toBe(true);
});

test.each([
  ["no header", undefined],
  [""],
  [json],
  ["*/*"],
  ["application/*"],
  ["application/*+json, */*"],
  [`${graphql}x`],
  [`x${graphql}`],
  [`${graphql};q=0`],
  [`${graphql};q=0.000, text/html`],
  [`${graphql};q=0.8, ${json}`],
  [`${graphql};q=0.8, ${json};q=0.9`],
  [`${graphql};q=0.8, */*`],
  [`${graphql};q=0.8, application/*;q=0.9, */*;q=0.1`],
  [`text/plain;x="${graphql}"`],
  [`text/plain;x=", ${graphql}, "`],
  ["a malformed weight", `${graphql};q=high`],
  ["a weight beyond 1", `${graphql};q=2`],
  ["four digits", `${graphql};q=0.1234`],
])("not: %s", (...names) => {
  expect(isPreferred(names.at(-1), graphql, json)).toBe(false);
});

test("takes time that grows no faster than a header, however odd that is", () => {
  const started = performance.now();
  for (const odd of ['"', '"\\', ";", ",", "q=,;", '\\"']) {
    expect(isPreferred(`${odd.repeat(400_000 / odd.length)}${graphql};q=0`, graphql, json)).toBe(false);
  }
  // Some 50 ms. Where each quotation mark is looked at from every other one, more than a minute.
  expect(performance.now() - started).toBeLessThan(10_000);
});
