import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { succeed } from "../../test/package/support/run.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { developmentPassword } from "../seed/accounts.ts";
import { shopService } from "./shop-service.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = temporaryFolder("kirak-clients-");

/** TypeScript 7 lacks the API that the generators use. The package of ts-morph holds TypeScript 6. */
const redirect = `import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent(
  'export const resolve = (name, context, next) => next(name === "typescript" ? "@ts-morph/common/dist/typescript.js" : name, context);'
));`;

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  module: "esnext",
  moduleResolution: "bundler",
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
};

/** The same use of the shop: sign in, list, create, delete, an error. */
const programs = {
  "openapi-fetch": `
import createClient from "openapi-fetch";
import type { paths } from "./shop/schema";

const [baseUrl = "", email = "", password = ""] = process.argv.slice(2);
// A list in a query string is \`a,b\`.
const shop = createClient<paths>({ baseUrl, querySerializer: { array: { style: "form", explode: false } } });
const login = await shop.POST("/auth/login", { body: { email, password } });
const token = login.data?.data?.accessToken ?? "";
shop.use({ onRequest: ({ request }) => request.headers.set("authorization", \`Bearer \${token}\`) });
const made = await shop.POST("/authors/create", { body: { data: { name: "Ada", country: "NL", contact_email: "jürgen@example.com" } } });
const author = made.data?.data;
const id = author !== undefined && "id" in author ? author.id : 0;
const list = await shop.GET("/authors/fetch", {
  params: { query: { where: { name__ilike: "ad%", id__in: \`\${id},1\`, country: "NL" }, select_fields: ["id", "name"], order_by: "name", limit: 5 } },
});
const rows: { id?: number; name?: string }[] | undefined = list.data?.data;
const gone = await shop.DELETE("/authors/delete", { body: { where: { id } } });
const refused = await shop.POST("/authors/create", { body: { data: { name: "" } } });
// @ts-expect-error The document has no such field.
void (() => shop.GET("/authors/fetch", { params: { query: { select_fields: ["nothing"] } } }));
console.log(JSON.stringify({ id, rows, gone: gone.response.status, refused: refused.error?.error, status: refused.error?.statusCode }));
`,
  "hey-api": `
import { client } from "./shop/hey/client.gen";
import { authLogin, createAuthors, deleteAuthors, fetchAuthors } from "./shop/hey";

const [baseUrl = "", email = "", password = ""] = process.argv.slice(2);
client.setConfig({ baseUrl });
const login = await authLogin({ body: { email, password } });
const token = login.data?.data?.accessToken ?? "";
client.setConfig({ baseUrl, auth: (scheme) => (scheme.scheme === "bearer" ? token : undefined) });
const made = await createAuthors({ body: { data: { name: "Ada", country: "NL", contact_email: "jürgen@example.com" } } });
const author = made.data?.data;
const id = author !== undefined && "id" in author ? author.id : 0;
const list = await fetchAuthors({
  query: { where: { name__ilike: "ad%", id__in: \`\${id},1\`, country: "NL" }, select_fields: ["id", "name"], order_by: "name", limit: 5 },
});
const rows: { id?: number; name?: string }[] | undefined = list.data?.data;
const gone = await deleteAuthors({ body: { where: { id } } });
const refused = await createAuthors({ body: { data: { name: "" } } });
// @ts-expect-error The document has no such field.
void (() => fetchAuthors({ query: { select_fields: ["nothing"] } }));
const error = refused.error;
console.log(JSON.stringify({ id, rows, gone: gone.response?.status, refused: error?.error, status: error?.statusCode }));
`,
};

const shop = await shopService();

const node = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  succeed(process.execPath, words, { folder, environment });

beforeAll(async () => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "typescript-6.mjs"), redirect);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), text);
  for (const [name, app] of [
    ["shop", "."],
    ["tracker", "examples/tracker"],
  ] as const) {
    mkdirSync(join(folder, name));
    cpSync(join(root, app, "generated", "openapi.json"), join(folder, name, "openapi.json"));
    await generateFrom(name);
  }
}, 240_000);

async function generateFrom(name: string): Promise<void> {
  const hooked = { NODE_OPTIONS: `--import=file://${join(folder, "typescript-6.mjs")}` };
  const document = join(name, "openapi.json");
  const packages = join(root, "node_modules");
  // Otherwise a field with a default is required in a body.
  const schema = ["-o", join(name, "schema.ts"), "--default-non-nullable=false"];
  await node([join(packages, "openapi-typescript", "bin", "cli.js"), document, ...schema], hooked);
  // Without `./` the path would be the name of a project.
  const sdk = ["-i", `./${document}`, "-o", join(name, "hey"), "--silent"];
  await node([join(packages, "@hey-api", "openapi-ts", "bin", "run.js"), ...sdk], hooked);
}

test("what openapi-typescript and hey-api make of a document compiles under strict", async () => {
  await node([join("node_modules", "typescript", "bin", "tsc"), "-p", "."]);
});

describe.each(Object.keys(programs))("a client by %s", (name) => {
  test("signs in, lists with filters and fields, creates, deletes and reads an error", async () => {
    const account = [shop.origin, "admin@example.com", developmentPassword];
    const { output } = await node(["--import", "tsx", `${name}.ts`, ...account]);
    expect(JSON.parse(output)).toEqual({
      id: expect.any(Number),
      rows: [{ id: expect.any(Number), name: "Ada" }],
      gone: 200,
      refused: "VALIDATION_ERROR",
      status: 400,
    });
  });
});
