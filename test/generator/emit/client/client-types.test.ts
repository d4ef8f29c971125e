import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { Project, SyntaxKind } from "ts-morph";
import { describe, expect, test } from "vitest";
import { clientText } from "#generator/emit/client/client";
import { clientFiles } from "#generator/emit/client/client-files";
import { validatorsText } from "#generator/emit/client/validators/validators-text";
import { clientTypeNames } from "#generator/emit/openapi/component-names";
import { openApiDocument } from "#generator/emit/openapi/document";
import type { OpenApiDocument } from "#vocabulary/openapi/document";
import { roleDocument } from "#vocabulary/openapi/role-document";
import { compileWith } from "../../../support/client-compiler.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { access, field, model, rule, service } from "../../support/definitions.ts";
import { repository } from "../../support/project.ts";
import { typedDocument } from "./typed-app.ts";

const document = await typedDocument();
const uses = readFileSync(new URL("uses.ts", import.meta.url), "utf8");

describe.each(["typescript", "ts-morph"] as const)("with the compiler of %s", (compiler) => {
  test("a client compiles, and its users get errors where they should", () => {
    const { errors } = compileWith(compiler, { "index.ts": clientText(document), "uses.ts": uses });
    expect(errors).toBe("");
  });

  test("validators compile, and their records are those of the client", () => {
    const forms = `import type * as z from "zod";
import { createClient } from "./index.ts";
import { ThingsCreate, ThingsUpdate } from "./validators.ts";
const client = createClient({ url: "/" });
export function save(record: z.output<typeof ThingsCreate>, change: z.output<typeof ThingsUpdate>): void {
  client.things.create(record);
  client.things.update({ where: { id: 1 }, data: change });
}
`;
    const files = {
      "index.ts": clientText(document),
      "validators.ts": validatorsText(document),
      "forms.ts": forms,
    };
    expect(compileWith(compiler, files).errors).toBe("");
  });
});

test("the declarations of a package say the same, and the package has no flaw", async () => {
  const form = { validators: false, packageName: "@acme/api", packageVersion: "1.0.0" };
  const files = clientFiles(document, form);
  const folder = temporaryFolder("kirak-package-");
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  expect((await publint({ pkgDir: folder, pack: false })).messages).toEqual([]);
  const declarations = { "index.d.ts": files.get("index.d.ts") ?? "" };
  expect(
    compileWith("typescript", { ...declarations, "uses.ts": uses.replace("./index.ts", "./index.js") })
      .errors,
  ).toBe("");
});

test("an error of a user is found", () => {
  const files = { "index.ts": clientText(document), "uses.ts": `${uses}client.things.fetch(7);\n` };
  expect(compileWith("typescript", files).errors).toMatch(/^uses\.ts\(\d+,\d+\): error TS2769: /);
});

test.each(["guest", "staff", "admin"])("the client of %s compiles", (role) => {
  const { errors } = compileWith("typescript", { "index.ts": clientText(roleDocument(document, role)) });
  expect(errors).toBe("");
});

test("no app can declare a type that each client declares or uses", () => {
  const text = clientText(openApiDocument(service()));
  const source = new Project({ useInMemoryFileSystem: true }).createSourceFile("index.ts", text);
  const namesOf = (kind: SyntaxKind, pattern: RegExp) =>
    source.getDescendantsOfKind(kind).flatMap((node) => pattern.exec(node.getText())?.[1] ?? []);
  const parameters = namesOf(SyntaxKind.TypeParameter, /^(?:const )?(\w+)/);
  const names = [
    ...namesOf(SyntaxKind.TypeReference, /^([A-Z]\w*)/),
    ...namesOf(SyntaxKind.ExpressionWithTypeArguments, /^([A-Z]\w*)/),
    ...namesOf(SyntaxKind.InterfaceDeclaration, /\binterface (\w+)/),
    ...namesOf(SyntaxKind.TypeAliasDeclaration, /\btype (\w+)/),
    ...namesOf(SyntaxKind.ClassDeclaration, /\bclass (\w+)/),
  ];
  // The types of the app's part have free names.
  const ofApp =
    /^(Auth|Graphql|RateLimits?|Users)[A-Z]|^(Tokens|User|OtpUser|OwnUser|CurrentUser|AdministeredUser\w*|ApiKey|Problem|ErrorDetails)$/;
  const open = names.filter(
    (name) => ![...clientTypeNames, ...parameters].includes(name) && !ofApp.test(name),
  );
  expect([...new Set(open)]).toEqual([]);
  const ofSomeApps = [
    "ClientModels",
    "OwnSessions",
    "Passkeys",
    "Routes",
    "Social",
    "Storage",
    "Omit",
    "Response",
  ];
  expect(clientTypeNames.filter((name) => !names.includes(name))).toEqual(ofSomeApps);
});

test("the client of 100 models costs at most 10,000 instantiations", () => {
  const rules = Object.fromEntries(
    (["fetch", "search", "create", "update", "delete", "destroy", "restore"] as const).map((name) => [
      name,
      [rule("*")],
    ]),
  );
  const fields = Array.from({ length: 12 }, (_, number) =>
    field(`field_${number}`, {
      kind: (["string", "integer", "decimal", "datetime"] as const)[number % 4] ?? "string",
      enum: number === 8 ? ["a", "b"] : null,
    }),
  );
  const many = Array.from({ length: 100 }, (_, number) =>
    model(`model_${number}`, { fields, softDelete: true, access: access(rules) }),
  );
  const user = `import { createClient } from "./index.ts";
const client = createClient({ url: "/" });
const rows = await client.model_7.fetch({ where: { field_2: { lt: "1" } }, select: ["id", "field_0"] });
const made = await client.model_8.create({ field_0: rows[0]?.field_0 ?? null }).result();
if (!made.ok && made.error.error === "VALIDATION_ERROR") made.error.details?.field?.trim();
`;
  const files = { "index.ts": clientText(openApiDocument(service(...many))), "user.ts": user };
  const { errors, instantiations } = compileWith("typescript", files);
  expect(errors).toBe("");
  expect(instantiations).toBeLessThan(10_000);
});

// `npx vitest run FILE -u` writes it again.
test("the app's part of the client of the smallest golden case", async () => {
  const path = join(repository, "test/generator/golden/minimal/expected/openapi.json");
  const minimal: OpenApiDocument = JSON.parse(readFileSync(path, "utf8"));
  const text = clientText(minimal);
  const own = text.slice(text.indexOf("export interface Notes "), text.indexOf("/** Makes a client"));
  await expect(own).toMatchFileSnapshot("minimal-client.txt");
});
