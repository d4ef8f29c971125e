import express, { type Response } from "express";
import { expect, test } from "vitest";
import { addDocumentHeaders, securityHeaders } from "#runtime/core/http/index";
import { serveApplication } from "../../../support/application.ts";

const forJson = ["content-security-policy", "strict-transport-security", "x-content-type-options"];
const forDocuments = ["cross-origin-opener-policy", "referrer-policy", "x-frame-options"];

/** The headers of a path, in an application with the service's headers after a third-party route. */
async function headersOf(path: string): Promise<Headers> {
  const { origin } = await serveApplication((outer) => {
    outer.get("/outer", (_request, response) => void response.send("<p>theirs</p>"));
    outer.use("/inner", inner);
  });
  return (await fetch(`${origin}${path}`, { redirect: "manual" })).headers;
}

const inner = express();
addDocumentHeaders(inner);
inner.use(securityHeaders());
inner.get("/json", (_request, response) => void response.json({}));
inner.get(
  "/graphql",
  (_request, response) => void response.type("application/graphql-response+json").end("{}"),
);
inner.get("/page", (_request, response) => void response.send("<p>ours</p>"));
inner.get("/own", (_request, response) => void response.set("Referrer-Policy", "origin").send("<p>ours</p>"));
inner.get("/nothing", (_request, response) => void response.status(204).end());

const [asJson, asHtml] = ["application/json", "text/html"];
/** What `writeHead` is given, where the type that is set before is the other one. */
const heads: Readonly<Record<string, (response: Response) => Response>> = {
  "/json-object": (response) => response.type(asHtml).writeHead(200, { "content-type": asJson }),
  "/json-list": (response) => response.type(asHtml).writeHead(200, ["X-A", "a", "Content-Type", asJson]),
  "/json-message": (response) => response.type(asHtml).writeHead(200, "Fine", { "Content-Type": asJson }),
  "/json-only": (response) => response.writeHead(200, { "Content-Type": asJson }),
  "/json-before": (response) => response.type(asJson).writeHead(200, "Fine", { "X-A": "Content-Type" }),
  "/page-object": (response) => response.type(asJson).writeHead(200, { "CONTENT-TYPE": asHtml }),
  "/page-list": (response) => response.type(asJson).writeHead(200, "Fine", ["Content-Type", asHtml]),
  "/page-only": (response) => response.writeHead(200, { "Content-Type": asHtml }),
  "/page-without": (response) => response.writeHead(200, ["X-A", "Content-Type", "X-B", asJson]),
};
for (const [path, write] of Object.entries(heads))
  inner.get(path, (_request, response) => void write(response).end("{}"));
inner.get("/own-head", (_request, response) => {
  response.writeHead(200, { "Content-Type": asHtml, "referrer-policy": "origin" }).end();
});
inner.get("/on", (_request, response) => void response.redirect("/page"));

const of = (headers: Headers, names: readonly string[]) => names.filter((name) => headers.has(name));

test.each(["/inner/json", "/inner/graphql"])("%s: what JSON needs, and no more", async (path) => {
  const headers = await headersOf(path);
  expect(of(headers, forJson)).toEqual(forJson);
  expect(of(headers, forDocuments)).toEqual([]);
});

test.each(["/inner/page", "/inner/nothing", "/inner/on"])("%s: all of them", async (path) => {
  const headers = await headersOf(path);
  expect(of(headers, [...forJson, ...forDocuments])).toEqual([...forJson, ...forDocuments]);
});

test.each(Object.keys(heads))("%s: the type that writeHead is given counts", async (path) => {
  const headers = await headersOf(`/inner${path}`);
  expect(of(headers, forJson)).toEqual(forJson);
  expect(of(headers, forDocuments)).toEqual(path.startsWith("/page") ? forDocuments : []);
});

test.each(["/inner/own", "/inner/own-head"])("%s: what a route sets itself stays", async (path) => {
  expect((await headersOf(path)).get("referrer-policy")).toBe("origin");
});

test("an answer of the application around it has none", async () => {
  expect(of(await headersOf("/outer"), [...forJson, ...forDocuments])).toEqual([]);
});
