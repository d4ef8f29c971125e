import { describe, expect, it } from "vitest";
import { exampleFolders } from "../support/docs.ts";
import {
  filesIn,
  type Import,
  importsByName,
  importsByPath,
  importsIn,
  importsOf,
  textOf,
} from "./import-graph.ts";

const offending = (imports: readonly Import[], allowed: (one: Import) => boolean) =>
  imports.filter((one) => !allowed(one)).map(({ from, to }) => `${from} imports ${to}`);

describe("the programs share the vocabulary and meet in generated/", () => {
  it("vocabulary/ imports only itself, and no package", () => {
    expect(offending(importsIn("vocabulary"), ({ to }) => to.startsWith("vocabulary/"))).toEqual([]);
    expect(filesIn("vocabulary").filter((file) => /from "[^.]/.test(textOf(file)))).toEqual([]);
  });

  it("generator/ imports only itself, the vocabulary and the schemas", () => {
    expect(
      offending(importsIn("generator"), ({ to }) => /^(generator|vocabulary|schemas)\//.test(to)),
    ).toEqual([]);
  });

  it("runtime/ imports only itself, the vocabulary and the schemas", () => {
    expect(offending(importsIn("runtime"), ({ to }) => /^(runtime|vocabulary|schemas)\//.test(to))).toEqual(
      [],
    );
  });

  it("they import by relative paths: declarations of the package must not contain `#runtime/…`", () => {
    const named = ["vocabulary", "generator", "runtime"]
      .flatMap(filesIn)
      .filter((file) => /from "#/.test(textOf(file)));
    expect(named).toEqual([]);
  });

  it("generated/ imports itself and the app's files by path, everything else by the names of public exports", () => {
    const byPath = /^(generated\/|models\/(hooks|jobs|migrations|routes)\/)/;
    expect(offending(filesIn("generated").flatMap(importsByPath), ({ to }) => byPath.test(to))).toEqual([]);
    const named = filesIn("generated").flatMap(importsByName);
    expect(named.length).toBeGreaterThan(50);
    expect(offending(named, ({ to }) => /^runtime\/(index|exports\/[^/]+)\.ts$/.test(to))).toEqual([]);
  });

  it("no program imports the example", () => {
    const product = ["vocabulary", "generator", "runtime", "cli", "scripts", "test"].flatMap(importsIn);
    const ofExample = ({ to }: Import) => exampleFolders.includes(to.split("/")[0] ?? "");
    expect(offending(product, (one) => !ofExample(one))).toEqual([]);
  });

  it("no file in the build of the service imports a file that the build leaves out", () => {
    const { include, exclude }: { include: string[]; exclude: string[] } = JSON.parse(
      textOf("tsconfig.build.json"),
    );
    const isLeftOut = (path: string) => exclude.some((folder) => path.startsWith(`${folder}/`));
    const built = include
      .flatMap((path) => (path.endsWith(".ts") ? importsOf(path) : importsIn(path)))
      .filter(({ from }) => !isLeftOut(from));
    expect(offending(built, ({ to }) => !isLeftOut(to))).toEqual([]);
  });

  it("the code below HTTP knows the type of an answer, and not Express", () => {
    const below = ["data/operations", "data/sql", "models/access", "core/cache", "modules/auth"]
      .flatMap((folder) => filesIn(`runtime/${folder}`))
      .filter((file) => !/^runtime\/modules\/auth\/(http\/|index\.ts$)/.test(file));
    const answer =
      /^import type \{ (Answer|Pagination)(, Pagination)? \} from "(\.\.\/)+core\/http\/index\.ts"$/;
    const known = /^(?:im|ex)port\b[^;]*"(?:express|(?:node:)?https?|(?:\.\.?\/)+http\/[^"]+)"/gm;
    const http = below
      .flatMap((file) => [...textOf(file).matchAll(known)])
      .map(([statement]) => statement)
      .filter((statement) => !answer.test(statement));
    expect(http).toEqual([]);
  });

  it("a public API imports no other one: only the composition of the service imports them", () => {
    const api = /^runtime\/api\/(rest|graphql|custom-routes)\//;
    const entered = importsIn("runtime").filter(
      ({ from, to }) => api.test(to) && api.exec(from)?.[1] !== api.exec(to)?.[1],
    );
    expect(
      offending(entered, ({ from }) => /^runtime\/(index|server\/[a-z-]+|exports\/rest)\.ts$/.test(from)),
    ).toEqual([]);
  });

  it("the server imports neither migrations nor what operators run", () => {
    const reached = new Set(["runtime/server/server.ts"]);
    for (const file of reached) for (const { to } of importsOf(file)) reached.add(to);
    const apart = /^runtime\/(migrations|process|testing)\//;
    expect(reached.size).toBeGreaterThan(200);
    expect([...reached].filter((file) => apart.test(file))).toEqual([]);
  });

  it("only runtime/core/cache imports the Redis client, with its deadlines", () => {
    const users = filesIn("runtime").filter((file) => textOf(file).includes('from "ioredis"'));
    expect(users.filter((file) => !file.startsWith("runtime/core/cache/"))).toEqual([]);
  });
});
