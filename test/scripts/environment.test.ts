import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { knownVariables } from "#runtime/core/config/environment-variables";
import { settableKeys, settingPrefix } from "#runtime/core/config/settings";
import { repository } from "../generator/support/project.ts";

const read = (path: string) => readFileSync(join(repository, path), "utf8");
const example = new Set([...read(".env.example").matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name ?? ""));
const ofEverybody = ["HOST", "PORT", "NODE_ENV"];

describe("each variable that the service knows", () => {
  test("is one that the code names, and the code names no other", () => {
    const files = ["runtime", "scripts"].flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => read(join(folder, name))),
    );
    const named = new Set(files.flatMap((text) => text.match(/\bSERVICE_[A-Z][A-Z_]*[A-Z]\b/g) ?? []));
    const ours = [...named].filter((name) => !`${name}_`.startsWith(settingPrefix));
    expect(ours.sort()).toEqual(knownVariables);
  });

  test("is in .env.example, which has no unknown ones", () => {
    const ours = [...example].filter((name) => name.startsWith("SERVICE_"));
    const settings = ours.filter((name) => name.startsWith(settingPrefix));
    expect(ours.filter((name) => !settings.includes(name)).sort()).toEqual(knownVariables);
    expect(settings.filter((name) => !settableKeys.has(name))).toEqual([]);
    expect(ofEverybody.filter((name) => !example.has(name))).toEqual([]);
  });

  test("is in the table of docs/manifest.md", () => {
    const rows = read("docs/manifest.md").match(/^\| `[A-Z_]+`.*$/gm) ?? [];
    const ineffective = read("docs/manifest.md").match(/^These have no effect until .*$/m) ?? [];
    const told = [...rows, ...ineffective].join("\n");
    expect([...knownVariables, ...ofEverybody].filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("compose.yaml", () => {
  interface Compose {
    readonly services: Readonly<Record<string, ComposeService>>;
    readonly volumes: Readonly<Record<string, unknown>>;
  }
  interface ComposeService {
    readonly restart?: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly env_file?: readonly unknown[];
    readonly volumes: readonly string[];
    readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
    readonly healthcheck?: object;
    readonly ports?: readonly string[];
  }
  const { services, volumes }: Compose = parse(read("compose.yaml"));
  const { app, database } = services;

  test("gives the service all of .env, and each deployment what it does not say itself", () => {
    expect(app?.env_file).toEqual([{ path: ".env", required: false }]);
    const given = Object.entries(app?.environment ?? {});
    expect(given.filter(([name]) => ![...knownVariables, ...ofEverybody].includes(name))).toEqual([]);
    // Those of a developer's .env would lead nowhere in a container.
    expect(app?.environment).toMatchObject({ NODE_ENV: "production", HOST: "0.0.0.0", PORT: "3000" });
  });

  test("publishes nothing but the service beyond this machine", () => {
    const others = Object.entries(services).filter(([name]) => name !== "app");
    for (const [name, { ports = [] }] of others)
      expect([name, ports.filter((port) => !port.startsWith("127.0.0.1:"))]).toEqual([name, []]);
  });

  test("holds no secret, and asks for nothing that .env.example does not name", () => {
    const asked = [...read("compose.yaml").matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name ?? "");
    expect(asked.filter((name) => !example.has(name))).toEqual([]);
    const texts = Object.values(services).flatMap(({ environment }) => Object.entries(environment));
    const secrets = texts.filter(([name]) => /(?:_KEY|_SECRET|_PASSWORD)$/.test(name));
    expect(secrets.filter(([, text]) => !/^\$\{\w+:\?[\w .]+\}$/.test(text))).toEqual([]);
  });

  test("restarts the ended services, in order, and keeps their data", () => {
    for (const service of Object.values(services)) {
      expect(service.restart).toBe("unless-stopped");
      for (const volume of service.volumes) expect(Object.keys(volumes)).toContain(volume.split(":")[0]);
    }
    expect(app?.depends_on).toEqual({ database: { condition: "service_healthy" } });
    expect(database?.healthcheck).toBeDefined();
    expect(read("Dockerfile")).toMatch(/^HEALTHCHECK /m);
  });

  test("has a place for the outbox that the image's user may write to", () => {
    expect(app?.volumes).toContain("var:/app/var");
    expect(read("Dockerfile")).toContain("\nRUN mkdir var && chown node:node var\nUSER node\n");
  });

  test("builds an image without a secret of this machine", () => {
    expect(read(".dockerignore").split("\n")).toEqual(expect.arrayContaining([".env*", "var", ".git"]));
  });
});
