import { describe, expect, it } from "vitest";
import {
  aroundEntryFiles,
  type Cycle,
  cyclesIn,
  filesIn,
  type Import,
  importsIn,
  layers,
  sameNames,
  textOf,
} from "./import-graph.ts";

const folders = ["vocabulary", "generator", "runtime", "cli", "scripts"];
const imports = folders.flatMap(importsIn);
/** The example's programs. Its tests can import any file of the runtime. */
const ofExample = ["models/seed", "models/hooks", "benchmark"].flatMap(importsIn);

const inWords = ({ from, to }: Import) => `${from} imports ${to}`;

/** A cycle and at most 20 of the imports that close it. */
function described({ name, imports: closing }: Cycle): string {
  const more = closing.length > 20 ? [`and ${closing.length - 20} more`] : [];
  return [name, ...closing.slice(0, 20).map(inWords), ...more].join("\n  ");
}

/** Each import as two paths: `a.ts > b.ts`. */
function graph(...texts: readonly string[]): Import[] {
  return texts.map((text) => {
    const [from = "", to = ""] = text.split(" > ");
    return { from, to };
  });
}

describe("imports have no cycles", () => {
  it("the files and sub-folders of each folder import each other one way", () => {
    expect(cyclesIn(imports).map(described)).toEqual([]);
  });

  it("a cycle of files is found and named by the imports that close it", () => {
    const closing = graph(
      "runtime/a/smtp.ts > runtime/a/mailer.ts",
      "runtime/a/mailer.ts > runtime/a/smtp.ts",
    );
    const other = graph("runtime/a/mailer.ts > runtime/a/mail.ts", "runtime/b/sms.ts > runtime/a/mailer.ts");
    expect(cyclesIn([...other, ...closing])).toEqual([
      { name: "runtime/a: mailer.ts, smtp.ts", imports: closing },
    ]);
  });

  it("a cycle of folders without a cycle of files is found at each depth", () => {
    const modules = graph(
      "runtime/a/one.ts > runtime/b/deep/one.ts",
      "runtime/b/two.ts > runtime/c/index.ts",
      "runtime/c/index.ts > runtime/a/two.ts",
    );
    expect(cyclesIn(modules)).toEqual([{ name: "runtime: a, b, c", imports: modules }]);
    const below = graph("runtime/a/b/a.ts > runtime/a/sign-in.ts", "runtime/a/sign-in.ts > runtime/a/b/b.ts");
    expect(cyclesIn(below).map(({ name }) => name)).toEqual(["runtime/a: b, sign-in.ts"]);
    const programs = graph("generator/a.ts > runtime/a.ts", "runtime/b.ts > generator/b.ts");
    expect(cyclesIn(programs).map(({ name }) => name)).toEqual([".: generator, runtime"]);
  });

  it("the imports that are easiest to cut come first", () => {
    const [closing = { from: "", to: "" }, ...others] = graph(
      "runtime/low/a.ts > runtime/high/a.ts",
      "runtime/high/a.ts > runtime/low/a.ts",
      "runtime/high/b.ts > runtime/low/a.ts",
    );
    expect(cyclesIn([...others, closing])[0]?.imports).toEqual([closing, ...others]);
  });

  it("two cycles of one folder are two, and a file that leads to a cycle is not part of it", () => {
    // biome-ignore format: many a line
    const two = graph(
      "g/a.ts > g/b.ts", "g/b.ts > g/a.ts", "g/b.ts > g/c.ts", "g/c.ts > g/d.ts", "g/d.ts > g/c.ts", "g/e.ts > g/a.ts",
    );
    expect(cyclesIn(two).map(({ name }) => name)).toEqual(["g: a.ts, b.ts", "g: c.ts, d.ts"]);
    expect(cyclesIn(graph("g/a.ts > g/a.ts", "g/a.ts > g/b.ts", "g/c.ts > g/a.ts"))).toEqual([]);
  });
});

/** The layer of a file of `runtime/`; its `index.ts` is above all layers. */
const layerOf = (file: string) =>
  file.startsWith("runtime/") ? layers.indexOf(file.split("/")[1] ?? "") : null;
const upwards = (all: readonly Import[]) =>
  all.filter(({ from, to }) => (layerOf(to) ?? layers.length) < (layerOf(from) ?? 0));

describe("the layers of runtime/", () => {
  it("are all its folders, and index.ts is its only file", () => {
    const top = new Set(filesIn("runtime").map((file) => file.split("/")[1]));
    expect([...top].sort()).toEqual([...layers, "index.ts"].sort());
  });

  it("import only the layers below them", () => {
    expect(upwards(imports.filter(({ from }) => from.startsWith("runtime/"))).map(inWords)).toEqual([]);
    const wrong = graph(
      "runtime/core/http/a.ts > runtime/models/index.ts",
      "runtime/data/sql/a.ts > runtime/index.ts",
    );
    expect(upwards(wrong)).toEqual(wrong);
  });

  it("have a README of at most ten lines that names the layers which they import", () => {
    for (const layer of layers) {
      const text = textOf(`runtime/${layer}/README.md`);
      const used = new Set(
        importsIn(`runtime/${layer}`).map(({ to }) => to.split("/").slice(0, 2).join("/")),
      );
      const below = layers.filter((other) => other !== layer && used.has(`runtime/${other}`));
      const line =
        below.length === 0
          ? "It imports no other layer."
          : `It imports ${below.map((name) => `\`${name}/\``).join(", ")}.`;
      expect(text, layer).toContain(line);
      expect(text.split("\n").length, layer).toBeLessThan(12);
    }
  });

  it("are the picture that docs/architecture.md shows", () => {
    const picture = layers.map((layer) => {
      const [, subject] = /^# .*?: (.*)$/m.exec(textOf(`runtime/${layer}/README.md`)) ?? [];
      return `${`${layer}/`.padEnd(13)}${subject}`;
    });
    expect(textOf("docs/architecture.md")).toContain(
      ["index.ts     what apps import as `kirak`", ...picture].join("\n"),
    );
  });
});

describe("modules have an entry file", () => {
  it("other modules import the index.ts of a module", () => {
    expect(aroundEntryFiles([...imports, ...ofExample]).map(inWords)).toEqual([]);
  });

  it("an import of an internal file is found", () => {
    const internal = graph(
      "runtime/api/rest/router.ts > runtime/core/http/body.ts",
      "runtime/modules/auth/http/routes/me.ts > runtime/models/access/deep/index.ts",
      "runtime/server/server.ts > runtime/models/model.ts",
      "cli/token.ts > runtime/process/run.ts",
    );
    const others = graph(
      "runtime/api/rest/router.ts > runtime/core/http/index.ts",
      "runtime/modules/auth/users/a.ts > runtime/modules/auth/http/b.ts",
      "runtime/process/start.ts > runtime/server/service.ts",
      "runtime/api/rest/router.ts > vocabulary/json.ts",
      "cli/token.ts > runtime/process/index.ts",
    );
    expect(aroundEntryFiles([...others, ...internal])).toEqual(internal);
  });
});

describe("names", () => {
  /** Files named after an entry, a URL, a command, and a package that a page loads. */
  const exempt =
    /\/index\.ts$|^runtime\/exports\/|^runtime\/modules\/auth\/http\/routes\/|\/page\/packages\/|^cli\/commands\/|^scripts\/[^/]+$/;
  /** A layer of `runtime/`, or another program. */
  const groupOf = (file: string) =>
    file
      .split("/")
      .slice(0, file.startsWith("runtime/") ? 2 : 1)
      .join("/");

  it("a file has a name that no other file of its layer or program has", () => {
    const named = folders.flatMap(filesIn).filter((file) => !exempt.test(file));
    expect(sameNames(named, groupOf)).toEqual([]);
  });

  it("a name that two files have is found, with both files", () => {
    const files = [
      "runtime/api/b/list.ts",
      "runtime/api/list.ts",
      "runtime/data/list.ts",
      "generator/list.ts",
    ];
    expect(sameNames(files, groupOf)).toEqual(["list.ts: runtime/api/b/list.ts, runtime/api/list.ts"]);
  });
});
