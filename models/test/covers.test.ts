import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { filePart, formOf } from "../../test/support/multipart.ts";
import { pictureFile } from "../../test/support/pictures.ts";
import { sendRequest } from "../../test/support/request.ts";
import { tokenOf } from "../../test/support/service-token.ts";
import { shopService } from "./shop-service.ts";

const { origin, call, send, query, files } = await shopService();
const admin = { role: "admin", sub: "9002" };
const staff = { role: "staff", sub: "9001" };
const greta = { role: "user", sub: "1" };
const [first, second] = [10_001, 10_002];

function place(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(files, path)), { recursive: true });
    writeFileSync(join(files, path), "a picture");
  }
}

const covers = () =>
  readdirSync(join(files, "covers"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(files, join(parentPath, name)))
    .sort();

beforeEach(async () => {
  await query("delete from books where id = any ($1)", [[first, second]]);
  await query(
    `insert into books (id, title, slug, isbn, author_id, price)
     values ($1, 'One', 'one', '9780140449136', 1, 12.50), ($2, 'Two', 'two', '9780140449112', 1, 12.50)`,
    [first, second],
  );
  rmSync(files, { recursive: true, force: true });
  place(`covers/${first}.jpg`, `covers/.thumbnails/${first}.jpg/small.jpg`, `covers/${second}.jpg`);
});

describe("a book that is destroyed", () => {
  test("takes its cover along, thumbnails included, and no other's", async () => {
    const { status } = await call("DELETE /books/destroy", admin, { ids: [first] });
    expect(status).toBe(200);
    expect(covers()).toEqual([`covers/${second}.jpg`]);
  });

  test("takes what was uploaded, original and thumbnails", async () => {
    const cover = await pictureFile("jpeg", 600, 900);
    const { headers, body } = formOf(
      ["path", `covers/${first}.jpg`],
      ["overwrite", "true"],
      ["thumbnails", "true"],
      filePart(cover),
    );
    const sent = { method: "POST", path: "/storage/upload/image", body };
    const authorization = `Bearer ${tokenOf(admin)}`;
    expect((await sendRequest(origin, { ...sent, headers: { ...headers, authorization } })).status).toBe(200);
    expect(covers().filter((path) => path.includes(String(first)))).toHaveLength(4);
    await call("DELETE /books/destroy", admin, { ids: [first] });
    expect(covers()).toEqual([`covers/${second}.jpg`]);
  });

  test("without a cover", async () => {
    await call("DELETE /books/destroy", admin, { ids: [first] });
    await query(
      "insert into books (id, title, slug, isbn, author_id, price) values ($1, 'One', 'one', '9780140449136', 1, 12.50)",
      [first],
    );
    expect((await call("DELETE /books/destroy", admin, { ids: [first] })).status).toBe(200);
  });

  test("and is not, in the end, keeps it", async () => {
    const mutation = `mutation {
      destroyBooks(ids: [${first}]) { id }
      createBooks(input: { title: "Three", isbn: "9780140449137", author_id: 1, price: 0.01 }) { id }
    }`;
    const { status } = await call("POST /graphql", admin, { query: mutation });
    expect(status).toBe(400);
    expect(covers()).toEqual([
      `covers/.thumbnails/${first}.jpg/small.jpg`,
      `covers/${first}.jpg`,
      `covers/${second}.jpg`,
    ]);
  });

  test("while one that is deleted may come back, and keeps it", async () => {
    await call("DELETE /books/delete", admin, { ids: [first] });
    expect(covers()).toContain(`covers/${first}.jpg`);
  });
});

describe("who reaches covers", () => {
  const path = `/storage/url?path=covers/${first}.jpg`;
  test.each([
    ["an administrator", admin, 200],
    ["staff", staff, 403],
    ["a customer", greta, 403],
    ["nobody", null, 401],
  ])("%s", async (_, as, status) => {
    expect((await call(`GET ${path}`, as)).status).toBe(status);
    expect((await call(`DELETE /storage/delete?path=covers/${second}.jpg`, as)).status).toBe(status);
  });

  test("whoever has the link reads one", async () => {
    const { envelope } = await call(`GET ${path}`, admin);
    expect(envelope.data).toEqual({ url: `http://localhost:3000/storage/files/covers/${first}.jpg` });
    expect((await send(`GET /storage/files/covers/${first}.jpg`, null)).status).toBe(200);
  });
});
