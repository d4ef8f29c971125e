import { afterEach, describe, expect, test } from "vitest";
import { filePart, formOf, type Part } from "../../support/multipart.ts";
import { archive } from "../../support/pictures.ts";
import { requestOf } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { storageProviders } from "../../support/storage-providers.ts";

describe.each(storageProviders)("on $name", async ({ name, start }) => {
  const service = await start({ maxFileSizeBytes: 1000 });
  const wide = await start();
  const mine = await start({ scope: "user" });
  const picky = await start({ allowedMediaTypes: ["text/plain", "image/*"] });

  /** Nothing is left of any upload. */
  afterEach(async () => {
    for (const each of [service, wide, mine, picky]) expect(await each.leftovers()).toEqual([]);
  });

  const upload = (parts: readonly Part[], to = service, as: string | null = "user") =>
    to.send({ method: "POST", path: "/storage/upload/file", ...formOf(...parts) }, as);

  describe("a file", () => {
    // biome-ignore format: one case a line
    test.each<[string, Part[], string, string]>([
      ["at its path", [["path", "a/b.txt"], filePart("hello")], "a/b.txt", "text/plain"],
      ["with fields behind it", [filePart("hello"), ["path", "a/b.txt"]], "a/b.txt", "text/plain"],
      ["with its own name in a folder", [["path", "a/"], filePart("hello", "b.md")], "a/b.md", "text/markdown"],
      ["with its own name", [filePart("a,b", "b.csv")], "b.csv", "text/csv"],
      ["with its own name where the path is empty", [["path", ""], filePart("{}", "b.json")], "b.json", "application/json"],
      ["of the type of its key", [["path", "a.html"], filePart("<p>", "b.css")], "a.html", "text/html"],
      ["that is empty", [["path", "none.txt"], filePart("")], "none.txt", "text/plain"],
      ["of bytes", [["path", "a.txt"], filePart(Buffer.from([0, 1, 255]))], "a.txt", "application/octet-stream"],
      ["with the wrong type", [{ name: "file", filename: "a.png", content: "no", type: "image/png" }], "a.png", "text/plain"],
      ["that overwrites nothing", [["overwrite", "true"], filePart("x", "a")], "a", "text/plain"],
      ["with overwrite=false", [["overwrite", "false"], filePart("x", "a")], "a", "text/plain"],
      ["of the maximum size", [filePart("x".repeat(1000), "a")], "a", "text/plain"],
      ["with a path in another form", [["path", "cafe\u0301/ab c.txt"], filePart("x")], "caf\u00e9/ab c.txt", "text/plain"],
    ])("%s", async (_, parts, path, type) => {
      await service.place({});
      const reply = await upload(parts);
      const { data } = reply.envelope;
      const content = Buffer.concat(
        parts.flatMap((part) => ("content" in part ? [Buffer.from(part.content)] : [])),
      );
      expect(outcome(reply)).toBe("200");
      expect(data).toEqual({ url: expect.stringMatching(/^http/),
        filename: path.split("/").at(-1),
        size: content.length,
        mime_type: type,
      });
      expect(Object.keys(await service.files())).toEqual([path]);
      const { url } = data as { url: string };
      const back = await service.follow(url);
      expect(back).toMatchObject({ status: 200, text: content.toString() });
      expect(back.headers["content-type"]?.split(";")[0]).toBe(type);
    });

    const types = "[Content_Types].xml";
    const large = Buffer.alloc(5000, 1);
    const office = "application/vnd.openxmlformats-officedocument";
    // biome-ignore format: one case a line
    test.each<[string, Record<string, string | Buffer>, string]>([
      ["a Word document", { [types]: "", "word/document.xml": "" }, `${office}.wordprocessingml.document`],
      ["a Word document whose types come last, behind a picture", { "word/media/a.png": large, "word/document.xml": "", [types]: "" },
        `${office}.wordprocessingml.document`],
      ["a workbook whose types come last", { "a.png": large, "xl/workbook.xml": "", [types]: "" }, `${office}.spreadsheetml.sheet`],
      ["a presentation whose types come last", { "a.png": large, "ppt/presentation.xml": "", [types]: "" }, `${office}.presentationml.presentation`],
      ["a document with macros", { "a.png": large, "word/document.xml": "", "word/vbaProject.bin": "", [types]: "" },
        "application/vnd.ms-word.document.macroenabled.12"],
      ["an OpenDocument text", { mimetype: "application/vnd.oasis.opendocument.text", "content.xml": large },
        "application/vnd.oasis.opendocument.text"],
      ["an OpenDocument spreadsheet", { mimetype: "application/vnd.oasis.opendocument.spreadsheet", "content.xml": large },
        "application/vnd.oasis.opendocument.spreadsheet"],
      ["an archive of a document", { "a.png": large, "a/word/document.xml": "", [types]: "" }, "application/zip"],
      ["any other archive", { "a.txt": "a", "b.png": large }, "application/zip"],
    ])("that is %s has its own type", async (_, files, type) => {
      await wide.place({});
      const reply = await upload([["path", "a.bin"], filePart(archive(files))], wide);
      expect(outcome(reply)).toBe("200");
      expect(reply.envelope.data).toMatchObject({ mime_type: type });
      const { url } = reply.envelope.data as { url: string };
      expect((await wide.follow(url)).headers["content-type"]).toBe(type);
    });

    test.each([
      ["C:\\fakepath\\a b.txt", "a b.txt"],
      ["/etc/passwd", "passwd"],
      ["../../../x", "x"],
      [".htaccess", "_htaccess"],
      ["...", "_"],
      ["a*b?c<d>.txt", "a_b_c_d_.txt"],
      ['quo"te.txt', "quo_te.txt"],
      ["new\nline\r\nX-Evil: 1", "new_line__X-Evil_ 1"],
      ["übergröße 日本.txt", "übergröße 日本.txt"],
      ["u\u0308.txt", "ü.txt"],
      ["right\u202eto left", "right_to left"],
      ["50%.pdf", "50_.pdf"],
      ["😀.txt", "_.txt"],
      ["__proto__", "__proto__"],
    ])("named %j has the name %j", async (sent, name) => {
      await service.place({});
      expect((await upload([filePart("x", sent)])).envelope.data).toMatchObject({ filename: name });
      expect(await service.files()).toEqual({ [name]: "x" });
    });

    test("may have its name in another charset", async () => {
      await service.place({});
      const head =
        'Content-Disposition: form-data; name="file"; filename="x"; filename*=UTF-8\'\'na%C3%AFve.txt';
      expect((await upload([{ head, content: "x" }])).envelope.data).toMatchObject({ filename: "naïve.txt" });
    });

    test("has the longest name that there may be", async () => {
      await service.place({});
      expect(outcome(await upload([filePart("x", "n".repeat(255))]))).toBe("200");
      expect(outcome(await upload([filePart("x", "n".repeat(256))]))).toBe("400 VALIDATION_ERROR path");
    });

    test("in a chunked body", async () => {
      await service.place({});
      const sent = {
        method: "POST",
        path: "/storage/upload/file",
        chunked: true,
        ...formOf(filePart("x", "a")),
      };
      expect(outcome(await service.send(sent, "user"))).toBe("200");
    });
  });

  describe("is refused", () => {
    const file = filePart("x", "a.txt");
    // biome-ignore format: one case a line
    test.each<[string, string, Part[]]>([
      ["no file", "400 VALIDATION_ERROR file", [["path", "a"]]],
      ["no part at all", "400 VALIDATION_ERROR file", []],
      ["two files", "400 VALIDATION_ERROR file", [file, file]],
      ["a text in place of the file", "400 VALIDATION_ERROR file", [["file", "x"]]],
      ["a file without a name", "400 VALIDATION_ERROR file", [filePart("x", "")]],
      ["a file whose name is a folder", "400 VALIDATION_ERROR file", [filePart("x", "..")]],
      ["a file of another name", "400 VALIDATION_ERROR image", [{ name: "image", filename: "a", content: "x" }]],
      ["another file", "400 VALIDATION_ERROR b", [file, { name: "b", filename: "a", content: "x" }]],
      ["an unknown field", "400 VALIDATION_ERROR title", [["title", "x"], file]],
      ["an unknown field behind", "400 VALIDATION_ERROR title", [file, ["title", "x"]]],
      ["thumbnails", "400 VALIDATION_ERROR thumbnails", [file, ["thumbnails", "true"]]],
      ["a field twice", "400 VALIDATION_ERROR path", [["path", "a"], file, ["path", "a"]]],
      ["brackets", "400 VALIDATION_ERROR path[]", [["path[]", "a"], file]],
      ["deep brackets", "400 VALIDATION_ERROR path[a][b]", [["path[a][b]", "a"], file]],
      ["an index", "400 VALIDATION_ERROR path[99999999]", [["path[99999999]", "a"], file]],
      ["__proto__", "400 VALIDATION_ERROR __proto__", [["__proto__", "a"], file]],
      ["__proto__ in brackets", "400 VALIDATION_ERROR __proto__[path]", [["__proto__[path]", "a"], file]],
      ["constructor", "400 VALIDATION_ERROR constructor", [["constructor", "a"], file]],
      ["toString", "400 VALIDATION_ERROR toString", [["toString", "a"], file]],
      ["a field without a name", "400 VALIDATION_ERROR", [["", "a"], file]],
      ["a field that is long", "400 VALIDATION_ERROR path", [["path", "a".repeat(20_000)], file]],
      ["a field in no charset", "400 VALIDATION_ERROR path",
        [{ head: 'Content-Disposition: form-data; name="path"\r\nContent-Type: text/plain; charset=x', content: "a" }, file]],
      ["overwrite that is neither", "400 VALIDATION_ERROR overwrite", [["overwrite", "1"], file]],
      ["overwrite that is empty", "400 VALIDATION_ERROR overwrite", [["overwrite", ""], file]],
      ["a file that is too large", "413 HTTP_ERROR", [filePart("x".repeat(1001))]],
      ...[
        ".", "..", "/a", "a//b", "a/../b", "a/./b", ".a", "a/.b", "a/.thumbnails/b.jpg/small.jpg", "a\\b", "a\0b", "a\nb",
        "a\u202eb", "a*b", "a".repeat(256), `${"a/".repeat(256)}a`, "..%2fa", "a/..", "/", "//", "a//", "../",
      ].map((path): [string, string, Part[]] => [
        `the path ${JSON.stringify(path).slice(0, 40)}`,
        "400 VALIDATION_ERROR path",
        [["path", path], file],
      ]),
      ["a path that the name makes too long", "400 VALIDATION_ERROR path", [["path", `${"a/".repeat(255)}`], file]],
    ])("%s: %s", async (_, fails, parts) => {
      await service.place({ "kept.txt": "x" });
      expect(outcome(await upload(parts))).toBe(fails);
      expect(await service.files()).toEqual({ "kept.txt": "x" });
    });

    test.each([
      ["no multipart", "415 HTTP_ERROR", "application/json"],
      ["no type", "415 HTTP_ERROR", undefined],
      ["a form of another kind", "415 HTTP_ERROR", "application/x-www-form-urlencoded"],
      ["multipart that is no form", "415 HTTP_ERROR", "multipart/mixed; boundary=x"],
      ["no boundary", "400 VALIDATION_ERROR", "multipart/form-data"],
      ["an empty boundary", "400 VALIDATION_ERROR", "multipart/form-data; boundary="],
      ["another boundary", "400 VALIDATION_ERROR", "multipart/form-data; boundary=other"],
      ["an invalid boundary", "400 VALIDATION_ERROR", "multipart/form-data; boundary"],
    ])("%s: %s", async (_, fails, type) => {
      const { body } = formOf(filePart("x"));
      const headers = type === undefined ? {} : { "content-type": type };
      const reply = await service.send({ ...requestOf("POST /storage/upload/file", body), headers }, "user");
      expect(outcome(reply).replace(/ file$/, "")).toBe(fails);
    });

    test("a compressed form", async () => {
      const { headers, body } = formOf(filePart("x"));
      const sent = {
        method: "POST",
        path: "/storage/upload/file",
        body,
        headers: { ...headers, "content-encoding": "gzip" },
      };
      expect(outcome(await service.send(sent, "user"))).toBe("415 HTTP_ERROR");
    });

    test("a parameter of the query", async () => {
      for (const query of ["path=a", "overwrite=true", "a=1&a=1", "x"]) {
        const path = `/storage/upload/file?${query}`;
        const reply = await service.send({ method: "POST", path, ...formOf(filePart("x")) }, "user");
        expect(outcome(reply)).toBe(`400 VALIDATION_ERROR ${query.replace(/=.*/, "")}`);
      }
    });

    test("a body that ends too early", async () => {
      const { headers, body } = formOf(["path", "a"], filePart("x".repeat(300)), ["overwrite", "true"]);
      for (let at = 0; at < body.length - 4; at += 7) {
        const reply = await service.send(
          { ...requestOf("POST /storage/upload/file", body.subarray(0, at)), headers },
          "user",
        );
        expect(outcome(reply).replace(/ file$/, ""), String(at)).toBe("400 VALIDATION_ERROR");
      }
      expect(await service.files()).toEqual({ "kept.txt": "x" });
    });

    test("no body", async () => {
      const { headers } = formOf();
      for (const chunked of [true, false]) {
        const sent = { method: "POST", path: "/storage/upload/file", headers, chunked };
        expect(outcome(await service.send(sent, "user")).slice(0, 3)).toBe("400");
      }
    });

    test("a head of a part that is broken", async () => {
      for (const head of [
        "Content-Disposition form-data",
        ": x",
        'Content-Disposition: form-data; name="a\0"',
        `X: ${"x".repeat(20_000)}`,
      ]) {
        expect(outcome(await upload([{ head, content: "x" }, filePart("x")]))).toBe("400 VALIDATION_ERROR");
      }
    });

    test("many parts", async () => {
      const nameless = Array.from({ length: 100 }, () => ({ head: "X-Nothing: 1", content: "x" }));
      expect(outcome(await upload([...nameless, filePart("x")]))).toBe("400 VALIDATION_ERROR");
      const fields = Array.from({ length: 100 }, (_, at) => [`f${at}`, "x"] as const);
      expect(outcome(await upload([...fields, filePart("x")]))).toBe("400 VALIDATION_ERROR f0");
    });

    test("types that are not allowed, by what is inside", async () => {
      await picky.place({});
      expect(outcome(await upload([filePart("text", "a.txt")], picky))).toBe("200");
      expect(outcome(await upload([filePart("GIF89a", "b.txt")], picky))).toBe("200");
      // The name of an SVG makes a picture of a text.
      expect(outcome(await upload([filePart("<svg/>", "c.svg")], picky))).toBe("200");
      for (const [content, name] of [
        ["a,b", "a.csv"],
        ["%PDF-1.7", "a.png"],
        ["\0", "a.txt"],
      ] as const)
        expect(outcome(await upload([filePart(content, name)], picky))).toBe("415 HTTP_ERROR");
      expect(Object.keys(await picky.files())).toEqual(["a.txt", "b.txt", "c.svg"]);
    });
  });

  describe("who may", () => {
    test("no caller without a credential, even if the body is too large", async () => {
      expect(outcome(await upload([filePart("x".repeat(5000))], service, null))).toBe("401 MISSING_TOKEN");
    });

    test("callers only in their own folder, and administrators everywhere", async () => {
      await mine.place({});
      const at = (path: string, as: string) => upload([["path", path], filePart("x", "a")], mine, as);
      for (const path of ["users/1/", "users/1/b"]) expect(outcome(await at(path, "user"))).toBe("200");
      // biome-ignore format: many a line
      for (const path of [
        "", "a", "a/", "users/", "users/1", "users/2/", "users/2/a", "users/11/a", "Users/1/a",
      ])
        expect(outcome(await at(path, "user")), path).toBe("403 PERMISSION_DENIED");
      expect(outcome(await upload([filePart("x", "a")], mine))).toBe("403 PERMISSION_DENIED");
      expect(outcome(await upload([filePart("x", "a"), ["path", "b"]], mine))).toBe("403 PERMISSION_DENIED");
      for (const as of ["admin", "system", "superadmin"])
        expect(outcome(await at(`${as}/a`, as))).toBe("200");
      // biome-ignore format: many a line
      expect(Object.keys(await mine.files())).toEqual([
        "admin/a", "superadmin/a", "system/a", "users/1/a", "users/1/b",
      ]);
    });
  });

  describe("a key that exists", () => {
    const thumbnails = { "a/.thumbnails/b.jpg/small.jpg": "small", "a/.thumbnails/b.jpg/x.webp": "x" };
    const others = { "a/.thumbnails/c.jpg/small.jpg": "other" };

    test("is 409, and keeps what it has", async () => {
      const files = { "a/b.jpg": "old", ...thumbnails, ...others };
      await service.place(files);
      for (const fields of [[], [["overwrite", "false"] as const]])
        expect(outcome(await upload([["path", "a/b.jpg"], ...fields, filePart("new")]))).toBe(
          "409 HTTP_ERROR",
        );
      expect(await service.files()).toEqual(files);
    });

    test("is overwritten if the form has overwrite=true, and loses its thumbnails", async () => {
      await service.place({ "a/b.jpg": "old", ...thumbnails, ...others });
      const reply = await upload([["path", "a/b.jpg"], filePart("new"), ["overwrite", "true"]]);
      expect(outcome(reply)).toBe("200");
      expect(await service.files()).toEqual({ "a/b.jpg": "new", ...others });
    });

    test("of which only thumbnails are left loses them", async () => {
      for (const fields of [[], [["overwrite", "true"] as const]]) {
        await service.place({ ...thumbnails, ...others });
        expect(outcome(await upload([["path", "a/b.jpg"], ...fields, filePart("new")]))).toBe("200");
        expect(await service.files()).toEqual({ "a/b.jpg": "new", ...others });
      }
    });

    test("as a folder, or runs through a file, is 409 only on a disk", async () => {
      const files = { "a/b.jpg": "old", ...thumbnails };
      for (const path of ["a", "a/b.jpg/c", "a/b.jpg/c/d"])
        for (const overwrite of ["true", "false"]) {
          await service.place(files);
          const fields = [
            ["path", path],
            ["overwrite", overwrite],
          ] as const;
          const reply = await upload([...fields, filePart("new")]);
          expect(outcome(reply), path).toBe(name === "a disk" ? "409 HTTP_ERROR" : "200");
          expect(await service.files()).toEqual(name === "a disk" ? files : { ...files, [path]: "new" });
        }
    });
  });
});
