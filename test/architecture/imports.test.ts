import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { exampleFolders } from "../support/example.ts";

const root = resolve(import.meta.dirname, "..", "..");

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Every import of a file of ours by another, as paths from the root. */
function importsIn(folder: string): Import[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => importsOf(join(folder, name)));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(/^(?! *').*?(?:from|import)\s*\(?\s*"(\.[^"]+)"/gm)].map(
    (match) => match[1] ?? "",
  );
  return specifiers.map((specifier) => ({
    from: file.split(sep).join("/"),
    to: relative(root, resolve(root, dirname(file), specifier))
      .split(sep)
      .join("/"),
  }));
}

const offending = (imports: readonly Import[], allowed: (one: Import) => boolean) =>
  imports.filter((one) => !allowed(one)).map(({ from, to }) => `${from} imports ${to}`);

describe("the two programs share one leaf and meet in generated/", () => {
  it("vocabulary/ imports itself alone, and no package", () => {
    expect(offending(importsIn("vocabulary"), ({ to }) => to.startsWith("vocabulary/"))).toEqual([]);
    const names = readdirSync(join(root, "vocabulary"));
    expect(
      names.filter((name) => /from "[^.]/.test(readFileSync(join(root, "vocabulary", name), "utf8"))),
    ).toEqual([]);
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

  it("generated/ imports itself and hooks by their paths, all else by the names of doors", () => {
    const door = /^(generated\/|models\/hooks\/)/;
    expect(offending(importsIn("generated"), ({ to }) => door.test(to))).toEqual([]);
  });

  it("nothing of the product imports the example, but for the service that starts", () => {
    const product = ["vocabulary", "generator", "runtime", "scripts", "test"].flatMap(importsIn);
    const ofExample = ({ to }: Import) => exampleFolders.includes(to.split("/")[0] ?? "");
    expect(offending(product, (one) => !ofExample(one))).toEqual([
      "scripts/load-service.ts imports generated/index.ts",
    ]);
  });

  it("what the build of the service leaves out is imported by nothing in it", () => {
    const { include, exclude }: { include: string[]; exclude: string[] } = JSON.parse(
      readFileSync(join(root, "tsconfig.build.json"), "utf8"),
    );
    const left = (path: string) => exclude.some((folder) => path.startsWith(`${folder}/`));
    const built = include.flatMap((path) => (path.endsWith(".ts") ? importsOf(path) : importsIn(path)));
    expect(built.filter(({ from }) => left(from)).length).toBeGreaterThan(0);
    expect(
      offending(
        built.filter(({ from }) => !left(from)),
        ({ to }) => !left(to),
      ),
    ).toEqual([]);
  });

  it("the layers below HTTP know no Express", () => {
    const below = [
      ...importsIn("runtime/operations"),
      ...importsIn("runtime/sql"),
      ...importsIn("runtime/access"),
      ...importsIn("runtime/cache"),
      ...importsIn("runtime/auth/blacklist"),
    ];
    const http = below.filter(({ to }) => /^runtime\/http\/(?!errors|envelope|body)/.test(to));
    expect(http).toEqual([]);
  });

  it("who uses Redis gets it through the door of runtime/cache, with its limits", () => {
    const users = readdirSync(join(root, "runtime"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.startsWith(`cache${sep}`))
      .filter((name) => readFileSync(join(root, "runtime", name), "utf8").includes('from "ioredis"'));
    const inside = importsIn("runtime").filter(
      ({ from, to }) => /^runtime\/cache\/(?!index)/.test(to) && !from.startsWith("runtime/cache/"),
    );
    expect([...users, ...inside]).toEqual([]);
  });
});
