import { expect, test } from "vitest";
import { configFolder } from "../../../support/config-folder.ts";

const { read, problemsOf } = configFolder();
const production = {
  NODE_ENV: "production",
  SERVICE_DATABASE_URL: "postgres://u:p@h/d",
  SERVICE_AUTH_JWT_SECRET_KEY: "k".repeat(32),
  SERVICE_AUTH_ENCRYPTION_KEY: "e".repeat(32),
  SERVICE_SET_BASE_URL: "https://api.example.com",
};

test("the defaults show everything in development, and nothing in production", () => {
  expect(read({}).docs).toEqual({ enabled: true, scope: "all", path: "/docs" });
  expect(read({}, production).docs).toEqual({ enabled: false, scope: "caller", path: "/docs" });
});

test("the manifest and the environment change them", () => {
  const docs = { enabled: true, path: "/api-docs", title: "Books", version: "2", description: "All." };
  expect(read({ docs }, production).docs).toEqual({ enabled: true, scope: "caller", path: "/api-docs" });
  const environment = { SERVICE_SET_DOCS__SCOPE: "caller", SERVICE_SET_DOCS__ENABLED: "false" };
  expect(read({ docs }, environment).docs).toEqual({ enabled: false, scope: "caller", path: "/api-docs" });
});

// biome-ignore format: one case a line
test.each([
  [{ docs: { scope: "none" } }, "models/manifest.json: docs.scope must be one of all, caller"],
  [{ docs: { pth: "/d" } }, 'models/manifest.json: unknown key "docs.pth"; did you mean "path"?'],
  [{ docs: { path: "docs" } }, 'models/manifest.json: docs.path must match ^(/[A-Za-z0-9][A-Za-z0-9._~-]*)+$, such as "/docs"'],
  [{ docs: { path: "/auth/docs" } }, "models/manifest.json: docs.path conflicts with the routes at or below /auth"],
  [{ docs: { path: "/openapi.json" } }, "models/manifest.json: docs.path conflicts with the routes at or below /openapi.json"],
  [{ docs: { path: "/api" }, service_prefix: "/api" }, "models/manifest.json: docs.path conflicts with the routes at or below /api/graphql"],
  [{ docs: { path: "/mcp" }, modules: ["mcp"] }, "models/manifest.json: docs.path conflicts with the routes at or below /mcp"],
  [{ docs: { path: "/storage" }, modules: ["storage"] }, "models/manifest.json: docs.path conflicts with the routes at or below /storage"],
])("%j", (manifest, problem) => {
  expect(problemsOf(manifest)).toEqual([problem]);
});

test("an app that has the default path itself keeps it", () => {
  expect(problemsOf({ auth_prefix: "/docs" })).toEqual([]);
});

test("the words of the document cannot be set by the environment, since the generated file has them", () => {
  expect(problemsOf({}, { SERVICE_SET_DOCS__TITLE: "Books" })).toEqual([
    "SERVICE_SET_DOCS__TITLE cannot be set: it is part of the generated code: change it in the manifest, then run npm run generate",
  ]);
});
