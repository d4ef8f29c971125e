import { describe, expect, it } from "vitest";
import {
  aroundDoors,
  type Circle,
  circlesIn,
  doubles,
  filesIn,
  type Import,
  importsIn,
} from "./import-graph.ts";

const folders = ["vocabulary", "generator", "runtime", "cli", "scripts"];
const imports = folders.flatMap(importsIn);
/** The example's own programs; its tests may look into rooms as those of the runtime do. */
const ofExample = ["models/seed", "models/hooks", "benchmark"].flatMap(importsIn);

const inWords = ({ from, to }: Import) => `${from} imports ${to}`;

/** A circle and the imports that close it, as far as they are few. */
function described({ name, imports: closing }: Circle): string {
  const more = closing.length > 20 ? [`and ${closing.length - 20} more`] : [];
  return [name, ...closing.slice(0, 20).map(inWords), ...more].join("\n  ");
}

/** Each import as a word of two paths: `a.ts > b.ts`. */
function graph(...texts: readonly string[]): Import[] {
  return texts.map((text) => {
    const [from = "", to = ""] = text.split(" > ");
    return { from, to };
  });
}

describe("folders are floors", () => {
  it("the files and sub-folders of each folder import each other one way", () => {
    expect(circlesIn(imports).map(described)).toEqual([]);
  });

  it("a circle of files is found, and named by the imports that close it", () => {
    const closing = graph(
      "runtime/modules/mail/smtp.ts > runtime/modules/mail/mailer.ts",
      "runtime/modules/mail/mailer.ts > runtime/modules/mail/smtp.ts",
    );
    const other = graph(
      "runtime/modules/mail/mailer.ts > runtime/modules/mail/mail.ts",
      "runtime/modules/sms/sms.ts > runtime/modules/mail/mailer.ts",
    );
    expect(circlesIn([...other, ...closing])).toEqual([
      { name: "runtime/mail: mailer.ts, smtp.ts", imports: closing },
    ]);
  });

  it("a circle of folders is found where none of their files is in one, at each depth", () => {
    const rooms = graph(
      "runtime/a/one.ts > runtime/b/deep/one.ts",
      "runtime/b/two.ts > runtime/c/index.ts",
      "runtime/c/index.ts > runtime/a/two.ts",
    );
    expect(circlesIn(rooms)).toEqual([{ name: "runtime: a, b, c", imports: rooms }]);
    const below = graph(
      "runtime/modules/auth/users/a.ts > runtime/modules/auth/sign-in.ts",
      "runtime/modules/auth/sign-in.ts > runtime/modules/auth/users/b.ts",
    );
    expect(circlesIn(below).map(({ name }) => name)).toEqual(["runtime/auth: sign-in.ts, users"]);
    const programs = graph("generator/a.ts > runtime/a.ts", "runtime/b.ts > generator/b.ts");
    expect(circlesIn(programs).map(({ name }) => name)).toEqual([".: generator, runtime"]);
  });

  it("the imports that are easiest to cut come first", () => {
    const [closing = { from: "", to: "" }, ...others] = graph(
      "runtime/low/a.ts > runtime/high/a.ts",
      "runtime/high/a.ts > runtime/low/a.ts",
      "runtime/high/b.ts > runtime/low/a.ts",
    );
    expect(circlesIn([...others, closing])[0]?.imports).toEqual([closing, ...others]);
  });

  it("two circles of one folder are two, and what leads to a circle is none of it", () => {
    const two = graph(
      "g/a.ts > g/b.ts",
      "g/b.ts > g/a.ts",
      "g/b.ts > g/c.ts",
      "g/c.ts > g/d.ts",
      "g/d.ts > g/c.ts",
      "g/e.ts > g/a.ts",
    );
    expect(circlesIn(two).map(({ name }) => name)).toEqual(["g: a.ts, b.ts", "g: c.ts, d.ts"]);
    expect(circlesIn(graph("g/a.ts > g/a.ts", "g/a.ts > g/b.ts", "g/c.ts > g/a.ts"))).toEqual([]);
  });
});

describe("rooms have doors", () => {
  it("who is outside a room of runtime/ enters through its index.ts", () => {
    expect(aroundDoors([...imports, ...ofExample]).map(inWords)).toEqual([]);
  });

  it("a walk around a door is found, from a room, from between them and from outside", () => {
    const walks = graph(
      "runtime/api/rest/router.ts > runtime/core/http/body.ts",
      "runtime/modules/auth/http/routes/me.ts > runtime/models/access/deep/index.ts",
      "runtime/server/server.ts > runtime/core/http/health.ts",
      "cli/token.ts > runtime/process/run.ts",
    );
    const others = graph(
      "runtime/api/rest/router.ts > runtime/core/http/index.ts",
      "runtime/modules/auth/users/a.ts > runtime/modules/auth/http/b.ts",
      "runtime/api/rest/router.ts > runtime/server/service.ts",
      "runtime/api/rest/router.ts > vocabulary/json.ts",
      "cli/token.ts > runtime/process/index.ts",
    );
    expect(aroundDoors([...others, ...walks])).toEqual(walks);
  });
});

describe("names", () => {
  /** Named after a door, a URL, and a command. */
  const exempt =
    /\/index\.ts$|^runtime\/doors\/|^runtime\/auth\/http\/routes\/|^cli\/commands\/|^scripts\/[^/]+$/;

  it("a file has a name that no other file has", () => {
    const files = folders.flatMap(filesIn).filter((file) => !exempt.test(file));
    expect(doubles(files)).toEqual([]);
  });

  it("a name that stands twice is found, with both files", () => {
    expect(doubles(["runtime/b/list.ts", "runtime/c.ts", "generator/list.ts"])).toEqual([
      "list.ts: generator/list.ts, runtime/b/list.ts",
    ]);
  });
});
