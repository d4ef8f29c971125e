import { describe, expect, it, test } from "vitest";
import { printMarkdown } from "#generator/review/markdown";
import { printReport } from "#generator/review/print-report";
import { type Project, project } from "../support/project.ts";

const models = { books: { fields: { title: { type: "string" } }, access: { fetch: [{ role: "user" }] } } };
const file = "models/routes/loans.ts";

/** A file with routes: method, path and roles of each. */
function routes(...lines: readonly string[]): string {
  const written = lines.map((line) => {
    const [method, path, roles = ""] = line.split(" ");
    return `defineRoute({ method: "${method}", path: "${path}", access: ${JSON.stringify(roles.split(","))}, answer: {}, handler: () => null })`;
  });
  return `import { defineRoute } from "kirak";\n\nexport default [\n  ${written.join(",\n  ")},\n];\n`;
}

/** A project that was generated once, with other routes since. */
async function changed(before: string | null, after: string | null): Promise<Project> {
  const made = project(models);
  if (before !== null) made.write(file, before);
  await made.generate();
  if (after === null) made.remove(file);
  else made.write(file, after);
  return made;
}

const lend = "POST /books/:id/lend staff";

describe("wider access to a route", () => {
  it.each<[before: string, after: string, ids: string[]]>([
    [lend, lend, []],
    [lend, "POST /books/:id/lend staff,user", ["POST /books/:id/lend to user"]],
    [lend, "POST /books/:id/lend *", ["POST /books/:id/lend to *"]],
    [lend, "POST /books/:id/lend *,user,staff", ["POST /books/:id/lend to *"]],
    ["POST /books/:id/lend signed_in", lend, []],
    ["POST /books/:id/lend *", "POST /books/:id/lend signed_in", []],
    ["POST /books/:id/lend signed_in", "POST /books/:id/lend guest", ["POST /books/:id/lend to guest"]],
    // Other names in the path do not affect callers.
    [lend, "POST /books/:book_id/lend user", ["POST /books/:book_id/lend to user"]],
    // A new route is one, as a new model is.
    [lend, "PUT /books/:id/lend *", []],
  ])("from %s to %s needs %j", async (before, after, ids) => {
    const { generate } = await changed(routes(before), routes(after));
    const { problems } = await generate();
    const found = problems.flatMap(({ details }) => details.match(/"[A-Z]+ [^"]+ to [^"]+"/g) ?? []);
    expect(found.map((id) => JSON.parse(id))).toEqual(ids);
  });

  it("is described in words, and passes once it is acknowledged with a reason", async () => {
    const { generate, write } = await changed(routes(lend), routes("POST /books/:id/lend staff,user"));
    const { exitCode, problems } = await generate();
    expect(exitCode).toBe(1);
    expect(problems[0]?.details).toContain(
      "  POST /books/:id/lend can be called by user; before: by staff\n",
    );
    write("models/access-acknowledged.json", {
      acknowledged: { "POST /books/:id/lend to user": "readers lend" },
    });
    const again = await generate();
    expect(again).toMatchObject({ exitCode: 0, problems: [], diagnostics: [] });
    const report = again.report === null ? "" : printReport(again.report, "wrote");
    expect(report).toContain("can be called by user; before: by staff (acknowledged: readers lend)");
    expect(printMarkdown(again)).toContain("Acknowledged: `readers lend`");
  });

  it.each([
    ["POST /books/:id/lend to user", []],
    ["POST /books/:id/lend to staff", []],
    ["POST /books/:id/lend to guest", ["stale-acknowledgement"]],
    ["POST /books/:id/lent to user", ["stale-acknowledgement"]],
    ["POST /books/:id/lend for user", ["unknown-acknowledgement"]],
  ])("an entry %j is %j", async (id, codes) => {
    const { generate, write } = project(models);
    write(file, routes("POST /books/:id/lend user,staff"));
    write("models/access-acknowledged.json", { acknowledged: { [id]: "because they do" } });
    expect((await generate()).diagnostics.map(({ code }) => code)).toEqual(codes);
  });
});

describe("a report's part on routes", () => {
  const reported = async (before: string | null, after: string | null) => {
    const result = await (await changed(before, after)).generate();
    return [result.report === null ? "" : printReport(result.report, "wrote"), printMarkdown(result)];
  };

  it("a new one, and to whom it is open", async () => {
    const [text, markdown] = await reported(null, routes("GET /loans *", lend));
    expect(text).toContain("route added: GET /loans, open to everyone\n");
    expect(text).toContain("route added: POST /books/:id/lend, open to staff\n");
    expect(markdown).toContain("- added `GET /loans`: `everyone`");
  });

  it("one that is gone, and roles that may not call it any more", async () => {
    const [text] = await reported(routes("GET /loans user,staff", lend), routes("GET /loans staff"));
    expect(text).toContain("POST /books/:id/lend is gone (its callers get 404 or 405)");
    expect(text).toContain("GET /loans is not open to user any more (they get 401 or 403)");
  });
});

test("paths and counters carry the prefix where callers see it", async () => {
  const { generate, write, read } = project(models, { name: "x", service_prefix: "/api" });
  write(file, routes(lend));
  await generate();
  expect(read("generated/rate-limits.txt")).toMatch(
    /^POST {3}\/api\/books\/:id\/lend +route:POST:\/books\/:id\/lend:ip:<ip> +100 in 60 s/m,
  );
  expect(read("generated/openapi.json")).toContain('"/api/books/{id}/lend": {');
  expect(read("generated/access-matrix.txt")).toMatch(/^ {2}POST \/books\/:id\/lend +staff: models/m);
});

test("a prefix may be in the way: its GraphQL, not that of another place", async () => {
  const at = async (path: string) => {
    const { generate, write } = project(models, { name: "x", service_prefix: "/api" });
    write(file, routes(`GET ${path} *`));
    return (await generate()).diagnostics.map(({ code }) => code);
  };
  expect(await at("/graphql")).toEqual(["route-collision"]);
  expect(await at("/auth/mine")).toEqual([]);
  expect(await at("/:any")).toEqual(["route-collision"]);
  expect(await at("/books/:any")).toEqual(["route-collision"]);
  expect(await at("/books/:any/mine")).toEqual([]);
});

test("a role that no account has is found in routes too", async () => {
  const { generate, write } = project(models);
  write(file, routes("GET /loans librarian"));
  const { diagnostics } = await generate({ mode: "lint" });
  expect(diagnostics).toContainEqual(expect.objectContaining({ code: "role-nobody-has", file }));
});

test("a syntax error is reported at its place", async () => {
  const { generate, write } = project(models);
  write(file, "export default defineRoute({ method: };\n");
  const { exitCode, diagnostics } = await generate();
  expect(exitCode).toBe(2);
  expect(diagnostics[0]).toMatchObject({ code: "invalid-route", file, line: 1 });
});

test("routes of a project that has its models at the top", async () => {
  const { generate, write, read } = project();
  write("models.json", models);
  write("manifest.json", { name: "x" });
  write("routes/loans.ts", routes(lend));
  const places = { models: "models.json", manifest: "manifest.json" };
  expect((await generate(places)).exitCode).toBe(0);
  expect(read("generated/index.ts")).toContain('import loansRoutes from "../routes/loans.ts";');
});

test("types are checked against generated code", async () => {
  const { generate, write } = project(models);
  write(file, routes(lend).replace("() => null", "({ params }) => params.other"));
  const { exitCode, diagnostics } = await generate({ compile: true });
  expect(exitCode).toBe(2);
  expect(diagnostics).toMatchObject([{ code: "hook-does-not-compile", file, line: 4 }]);
  expect(diagnostics[0]?.hint).toMatch(/^the types of routes and jobs are in/);
  // The same file is checked again once it is another one.
  write(file, routes(lend));
  expect(await generate({ compile: true })).toMatchObject({ exitCode: 0, diagnostics: [] });
});
