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

describe("the two programs share one leaf and meet in generated/", () => {
  it("vocabulary/ imports itself alone, and no package", () => {
    expect(offending(importsIn("vocabulary"), ({ to }) => to.startsWith("vocabulary/"))).toEqual([]);
    expect(filesIn("vocabulary").filter((file) => /from "[^.]/.test(textOf(file)))).toEqual([]);
  });

  it("generator/ imports itself, the leaf and the schemas alone", () => {
    expect(
      offending(importsIn("generator"), ({ to }) => /^(generator|vocabulary|schemas)\//.test(to)),
    ).toEqual([]);
  });

  it("runtime/ imports itself, the leaf and the schemas alone", () => {
    expect(offending(importsIn("runtime"), ({ to }) => /^(runtime|vocabulary|schemas)\//.test(to))).toEqual(
      [],
    );
  });

  it("they import by relative paths: declarations of the package must not name `#runtime/…`", () => {
    const named = ["vocabulary", "generator", "runtime"]
      .flatMap(filesIn)
      .filter((file) => /from "#/.test(textOf(file)));
    expect(named).toEqual([]);
  });

  it("generated/ imports itself, hooks, jobs, routes and own migrations by their paths, all else by the names of doors", () => {
    const door = /^(generated\/|models\/(hooks|jobs|migrations|routes)\/)/;
    expect(offending(filesIn("generated").flatMap(importsByPath), ({ to }) => door.test(to))).toEqual([]);
    const named = filesIn("generated").flatMap(importsByName);
    expect(named.length).toBeGreaterThan(50);
    expect(offending(named, ({ to }) => /^runtime\/(index|doors\/[^/]+)\.ts$/.test(to))).toEqual([]);
  });

  it("nothing of the product imports the example", () => {
    const product = ["vocabulary", "generator", "runtime", "cli", "scripts", "test"].flatMap(importsIn);
    const ofExample = ({ to }: Import) => exampleFolders.includes(to.split("/")[0] ?? "");
    expect(offending(product, (one) => !ofExample(one))).toEqual([]);
  });

  it("what the build of the service leaves out is imported by nothing in it", () => {
    const { include, exclude }: { include: string[]; exclude: string[] } = JSON.parse(
      textOf("tsconfig.build.json"),
    );
    const left = (path: string) => exclude.some((folder) => path.startsWith(`${folder}/`));
    const built = include
      .flatMap((path) => (path.endsWith(".ts") ? importsOf(path) : importsIn(path)))
      .filter(({ from }) => !left(from));
    expect(offending(built, ({ to }) => !left(to))).toEqual([]);
  });

  it("the layers below HTTP know of it what an answer is, and no Express", () => {
    const below = ["operations", "sql", "access", "cache", "auth"]
      .flatMap((room) => filesIn(`runtime/${room}`))
      .filter((file) => !/^runtime\/auth\/(http\/|index\.ts$)/.test(file));
    const answer = /^import type \{ (Answer|Pagination)(, Pagination)? \} from "\.\.\/http\/index\.ts"$/;
    const known = /^(?:im|ex)port\b[^;]*"(?:express|(?:node:)?https?|(?:\.\.?\/)+http\/[^"]+)"/gm;
    const http = below
      .flatMap((file) => [...textOf(file).matchAll(known)])
      .map(([statement]) => statement)
      .filter((statement) => !answer.test(statement));
    expect(http).toEqual([]);
  });

  it("fronts stand side by side: who puts the service together imports them, and what it is made of", () => {
    const front = /^runtime\/(rest|graphql)\//;
    const entered = importsIn("runtime").filter(
      ({ from, to }) => front.test(to) && front.exec(from)?.[1] !== front.exec(to)?.[1],
    );
    expect(
      offending(entered, ({ from }) => /^runtime\/(server|service|doors\/rest)\.ts$/.test(from)),
    ).toEqual([]);
  });

  it("who follows a request meets neither the embedded PostgreSQL nor what operators run", () => {
    const reached = new Set(["runtime/server/server.ts"]);
    for (const file of reached) for (const { to } of importsOf(file)) reached.add(to);
    const apart = /^runtime\/(embedded-postgres|migrations|catalog|commands|process)\//;
    expect(reached.size).toBeGreaterThan(200);
    expect([...reached].filter((file) => apart.test(file))).toEqual([]);
  });

  it("who uses Redis gets it through the door of runtime/core/cache, with its limits", () => {
    const users = filesIn("runtime").filter((file) => textOf(file).includes('from "ioredis"'));
    expect(users.filter((file) => !file.startsWith("runtime/core/cache/"))).toEqual([]);
  });
});
