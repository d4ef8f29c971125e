import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "#runtime/core/database/index";
import { createHttpServer, createServer, readConfig, type Service } from "#runtime/index";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import { migrate } from "#runtime/migrations/runner/index";
import { listen } from "#runtime/process/http-lifecycle";
import type { Json } from "#vocabulary/json";
import { serviceDatabase } from "../../support/database.ts";
import { sendRequest } from "../../support/request.ts";
import { silent } from "../../support/silent-log.ts";
import { type Project, project } from "../support/project.ts";

/** Fields of a model in addition to its key `k`, before and after; null if the model is removed. */
interface Case {
  readonly before: object;
  readonly after: object | null;
  /** Further keys of the model. */
  readonly model?: { readonly before: object; readonly after: object };
  /** What callers send for `x`, which fits before and after. Default a text. */
  readonly value?: Json;
  /** The steps on which instances of before fail. */
  readonly breaking?: readonly string[];
}

const text = { type: "text" };
const integer = { type: "integer" };
const keyless = { type: "string", required: true };

/** By the key of the model. */
// biome-ignore format: one case a line
const cases: Readonly<Record<string, Case>> = { renamed: { before: { x: text }, after: { y: { ...text, renamed_from: "x" } }, breaking: ["rename_column"] },
  moved: { ...{ before: { x: text }, after: { x: text } }, model: { before: {}, after: { table: "elsewhere" } }, breaking: ["rename_table"] },
  dropped: { before: { x: text }, after: {}, breaking: ["drop_column"] },
  gone: { before: { x: text }, after: null, breaking: ["drop_table"] },
  turned: { ...{ before: { x: text }, after: { x: text } }, model: { before: {}, after: { id_type: "uuid" } }, breaking: ["set_id_type"] },
  demanding: { before: { x: text }, after: { x: text, y: { ...integer, required: true } }, breaking: ["add_column"] },
  counted: { before: { x: text }, after: { x: integer }, value: "12", breaking: ["set_type"] },
  written: { before: { x: integer }, after: { x: text }, value: 12, breaking: ["set_type"] },
  timed: { ...{ before: { x: { type: "date" } }, after: { x: { type: "datetime" } } }, ...{ value: "2026-05-04", breaking: ["set_type"] } },
  preset: { ...{ before: { x: text }, after: { x: { ...text, required: true, default: "new" } } }, breaking: ["set_nullable"] },
  keyless: { ...{ before: { x: text, k: { ...keyless, unique: true } }, after: { x: text, k: keyless } }, breaking: ["drop_index"] },
  // Its unique keys hold among live rows then.
  softened: { ...{ before: { x: text }, after: { x: text } }, model: { before: {}, after: { soft_delete: true } }, breaking: ["drop_index"] },
  // What follows breaks nothing.
  added: { before: { x: text }, after: { x: text, y: text, z: { ...integer, required: true, default: 3 } } },
  longer: { before: { x: { type: "string", max_length: 9 } }, after: { x: text } },
  shorter: { before: { x: text }, after: { x: { type: "string", max_length: 9 } } },
  fractional: { before: { x: integer }, after: { x: { type: "float" } }, value: 12 },
  narrower: { ...{ before: { x: text }, after: { x: { type: "string", enum: ["abc", "d"] } } } },
  indexed: { before: { x: text }, after: { x: { ...text, index: true } } },
  defaulted: { before: { x: text }, after: { x: { ...text, default: "new" } } },
};

const manifest = { name: "older", rate_limit: { enabled: false } };

function modelsOf(side: "before" | "after"): object {
  const access = Object.fromEntries(["fetch", "create", "upsert"].map((name) => [name, [{ role: "*" }]]));
  const models = Object.entries(cases).map(([key, { model, ...sides }]) => {
    const fields = sides[side];
    const k = { k: { ...keyless, unique: true } };
    return [key, fields === null ? null : { ...model?.[side], fields: { ...k, ...fields }, access }] as const;
  });
  return Object.fromEntries(models.filter(([, model]) => model !== null));
}

/** A service on a database of its own, for as long as the test runs. */
async function serve({ root }: Project, url: string, service: Service): Promise<string> {
  const environment = { SERVICE_DATABASE_URL: url, SERVICE_AUTH_JWT_SECRET_KEY: "a".repeat(40) };
  const config = readConfig({ root, manifestPath: join(root, "models/manifest.json"), environment });
  const database = createDatabase({ url, maxConnections: 2, log: silent });
  const server = createHttpServer(createServer(service, { config, database, log: silent }));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await database.close();
  });
  return listen(server, 0, "127.0.0.1");
}

/** The responses to a caller of a model before and after; all requests succeed at first. */
async function outcomes(origin: string, key: string, run: string, value: Json): Promise<string[]> {
  const call = (method: string, path: string, data?: Json) =>
    sendRequest(origin, {
      method,
      path: `/${key}/${path}`,
      ...(data === undefined ? {} : { body: { data } }),
    });
  const replies = [
    await call("POST", "create", { k: `${run} full`, x: value }),
    await call("POST", "create", { k: `${run} bare` }),
    await call("PUT", "upsert", { k: `${run} full`, x: value }),
    await call("GET", "fetch?id=1"),
    await call("GET", `fetch?x=${value}&limit=1`),
  ];
  // A value of another type may make the answer no JSON at all.
  const [, x = ""] = /"x":([^,}]*)/.exec(replies.at(-1)?.text ?? "") ?? [];
  return [...replies.map(({ status }) => String(status)), x];
}

const well = ({ value = "abc" }: Case) => ["200", "200", "200", "200", "200", JSON.stringify(value)];

/** The service that the models of a project give. */
async function generated({ root, generate }: Project): Promise<Service> {
  await generate();
  const { service }: { service: Service } = await import(join(root, "generated/index.ts"));
  return service;
}

const placeOf = ({ root }: Project) => ({ migrations: pathToFileURL(join(root, "generated/migrations/")) });

test("the report names each step on which older instances fail, and no other", async () => {
  const made = project(modelsOf("before"), manifest);
  const { write, generate, read } = made;
  const older = await generated(made);
  const { url, query } = await serviceDatabase(placeOf(made));
  const origin = await serve(made, url, older);
  const asked = ([key, { value = "abc" }]: [string, Case], run: string) => outcomes(origin, key, run, value);
  for (const entry of Object.entries(cases))
    expect(await asked(entry, "before"), entry[0]).toEqual(well(entry[1]));

  // Steps that fail on rows are another matter.
  await query(`TRUNCATE ${Object.keys(cases).join(", ")}`);
  write("models/models.json", modelsOf("after"));
  const { problems } = await generate();
  const accepted = [...(problems[0]?.fix ?? "").matchAll(/--accept-destructive (\S+)/g)].map(
    ([, id = ""]) => id,
  );
  const { report, exitCode } = await generate({ accepted });
  expect(exitCode).toBe(0);
  await migrate({ url, ...(await serviceMigrations(placeOf(made).migrations)), log: silent });

  const { name = "", steps = [] } = report?.migrations[0] ?? {};
  const named = steps.filter(({ breaksOlder }) => breaksOlder).map(({ id }) => id);
  for (const [key, entry] of Object.entries(cases)) {
    const after = await asked([key, entry], "after");
    const steps = named.filter((id) => id.split(/[:.]/)[1] === key).map((id) => id.split(":")[0]);
    const fails = !isDeepStrictEqual(after, well(entry));
    const { breaking = [] } = entry;
    expect({ key, steps, fails, after }).toEqual({ key, steps: breaking, fails: breaking.length > 0, after });
  }
  const header = read(`generated/migrations/${name}.ts`);
  const lines = [...header.matchAll(/^\/\/ Running older instances fail .*: (\S+)$/gm)];
  expect(lines.map(([, id]) => id)).toEqual(named);
});

test("new code runs on tables that still have its dropped columns, if these need no value", async () => {
  const before = project(modelsOf("before"), manifest);
  await before.generate();
  const { url } = await serviceDatabase(placeOf(before));
  const after = project(modelsOf("after"), manifest);
  const origin = await serve(after, url, await generated(after));
  const call = async (method: string, path: string, body?: Json) =>
    (await sendRequest(origin, { method, path: `/dropped/${path}`, body })).status;
  expect([
    await call("POST", "create", { data: { k: "a" } }),
    await call("PUT", "upsert", { data: { k: "a" } }),
    await call("GET", "fetch?k=a"),
  ]).toEqual([200, 200, 200]);
});
