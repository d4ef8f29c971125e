import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { clientText } from "#generator/emit/client/client";
import { roleDocument } from "#vocabulary/openapi/role-document";
import { compileWith } from "../../../support/client-compiler.ts";
import { typedDocument } from "./typed-app.ts";

const document = await typedDocument();

describe.each(["typescript", "ts-morph"] as const)("with the compiler of %s", (compiler) => {
  test("a client compiles, and its users get errors where they should", () => {
    const uses = readFileSync(new URL("uses.ts", import.meta.url), "utf8");
    const { errors } = compileWith(compiler, { "index.ts": clientText(document), "uses.ts": uses });
    expect(errors).toBe("");
  });

  test.each(["guest", "staff", "admin"])("the client of %s compiles", (role) => {
    const { errors } = compileWith(compiler, { "index.ts": clientText(roleDocument(document, role)) });
    expect(errors).toBe("");
  });
});
