import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { endServiceProcesses, startServiceProcess } from "../../support/service-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const { resolve } = createRequire(import.meta.url);
const urlOf = (name: string) => pathToFileURL(resolve(name)).href;

/** Starts a service after this module, as `NODE_OPTIONS` of an app does. */
async function startAfter(telemetry: string) {
  const root = temporaryFolder("kirak-telemetry-");
  mkdirSync(join(root, "models"));
  writeFileSync(join(root, "models", "manifest.json"), "{}");
  writeFileSync(join(root, "telemetry.mjs"), telemetry);
  const { url } = await testDatabase();
  onTestFinished(endServiceProcesses);
  const service = startServiceProcess(
    new URL("../../runtime/process/service-in-process.ts", import.meta.url),
    root,
    {
      SERVICE_DATABASE_URL: url,
      NODE_OPTIONS: `--import ${pathToFileURL(join(root, "telemetry.mjs")).href}`,
    },
  );
  return { service, address: await service.listening() };
}

const loadedBy = async (address: string) => (await fetch(`${address}/loaded`)).text();

test("without an SDK nothing of OpenTelemetry is loaded, although its API is installed", async () => {
  const { address } = await startAfter("");
  await fetch(`${address}/nothing`, {
    headers: { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` },
  });
  const loaded = await loadedBy(address);
  expect(loaded).toContain("/node_modules/express/");
  expect(loaded).not.toContain("opentelemetry");
});

test("an SDK that a module of NODE_OPTIONS registers gets spans, the last ones before the process ends", async () => {
  const { service, address } = await startAfter(`
    import { trace } from ${JSON.stringify(urlOf("@opentelemetry/api"))};
    import { BasicTracerProvider, BatchSpanProcessor } from ${JSON.stringify(urlOf("@opentelemetry/sdk-trace-base"))};
    const exporter = {
      export: (spans, done) => { for (const { name } of spans) console.log("span of " + name); done({ code: 0 }); },
      shutdown: async () => {},
    };
    const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1e9 })] });
    trace.setGlobalTracerProvider(provider);
    // What another copy of the API would have registered, with classes of its own.
    globalThis[Symbol.for("opentelemetry.js.api.1")].trace = { getTracer: (...given) => provider.getTracer(...given), getDelegate: () => provider };
  `);
  await fetch(`${address}/nothing`, { method: "DELETE" });
  service.child.kill("SIGTERM");
  await service.exit;
  expect(service.output()).toContain("span of DELETE");
});

test("an SDK without the API that Kirak can load: a warning, and no spans", async () => {
  const { service, address } = await startAfter(`
    import Module from "node:module";
    const find = Module._resolveFilename;
    Module._resolveFilename = (name, ...more) => {
      if (name.startsWith("@opentelemetry/")) throw new Error("not found");
      return Reflect.apply(find, Module, [name, ...more]);
    };
    globalThis[Symbol.for("opentelemetry.js.api.1")] = { version: "1.9.0", trace: {} };
  `);
  expect((await fetch(`${address}/nothing`)).status).toBe(404);
  expect(await loadedBy(address)).not.toContain("opentelemetry");
  expect(service.output()).toContain("Kirak cannot load its API: npm install @opentelemetry/api");
});
