import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { testBrowser } from "../support/browser.ts";
import { listening } from "../support/listening.ts";
import { storageService } from "../support/storage.ts";

const browser = testBrowser();
const service = await storageService({ publicPrefixes: ["public/"] });
const files = `${service.origin}/storage/files/public`;

/** If this script runs, the service gets a request and the title changes. */
const script = `document.title = "ran"; new Image().src = "${service.origin}/ran"; fetch("${service.origin}/ran");`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20" onload='${script}'><script>${script}</script><rect width="30" height="20" fill="red"/></svg>`;
const html = `<!doctype html><title>page</title><script>${script}</script><img src=x onerror='${script}'><p>shown</p>`;

/** 30 pixels wide, 20 high. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAB4AAAAUCAMAAACtdX32AAAAA1BMVEX/AAAZ4gk3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQokWNgGAWjgD4AAAJsAAGClu6+AAAAAElFTkSuQmCC",
  "base64",
);

/** A page of another origin. */
let elsewhere = "";
let page = "";

beforeAll(async () => {
  await service.place({
    "public/page.html": html,
    "public/picture.svg": svg,
    "public/script.js": script,
    "public/style.css": "p { color: rgb(1, 2, 3) }",
    "public/page.txt": html,
    "public/page": html,
    "public/page.md": html,
    "public/page.xml": `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`,
    "public/page.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`,
    "public/data.json": html,
    "public/gif.html": `GIF89a/*${html}`,
    "public/pdf.pdf": `%PDF-1.7\n${html}`,
  });
  await writeFile(join(service.root, "public/picture.png"), png);
  await writeFile(join(service.root, "public/picture.png.html"), Buffer.concat([png, Buffer.from(html)]));
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(page);
  });
  // By name, so that it is another site as well.
  elsewhere = (await listening(server)).replace("127.0.0.1", "localhost");
});

const ran = () => service.log.some(({ path }) => path === "/ran");

async function open(address: string): Promise<Page> {
  if (browser === null) throw new Error("there is no browser");
  const tab = await browser.open(service.origin);
  // What is downloaded is no page, which the browser says as an error.
  await tab.page.goto(address).catch((error: unknown) => {
    if (!/Download is starting|ERR_ABORTED/.test(String(error))) throw error;
  });
  return tab.page;
}

describe.runIf(browser !== null)("what is uploaded runs nowhere", () => {
  test("the script would be seen if it ran", async () => {
    page = html;
    const opened = await open(elsewhere);
    await opened.waitForFunction(() => document.title === "ran");
    await expect.poll(ran).toBe(true);
    service.log.length = 0;
  });

  // biome-ignore format: many on a line
  test.each([
    "page.html", "picture.svg", "script.js", "page.txt", "page", "page.md", "page.xml", "page.xhtml", "data.json", "gif.html",
    "pdf.pdf", "picture.png.html",
  ])("%s, when it is opened", async (name) => {
    const opened = await open(`${files}/${name}`);
    await opened.goto(`${files}/picture.png`);
    expect(ran()).toBe(false);
  });

  test("pages of others that embed it as what it is not", async () => {
    const names = ["page.html", "picture.svg", "page.txt", "page.xml", "gif.html", "picture.png.html"];
    const frames = names.flatMap((name) => [
      `<iframe src="${files}/${name}"></iframe>`,
      `<object data="${files}/${name}"></object>`,
      `<embed src="${files}/${name}">`,
      `<script src="${files}/${name}"></script>`,
    ]);
    page = `<!doctype html>${frames.join("")}<script src="${files}/script.js"></script>`;
    const opened = await open(elsewhere);
    await opened.waitForLoadState("load");
    expect(ran()).toBe(false);
  });

  test("a page that was saved as text is shown as text", async () => {
    const opened = await open(`${files}/page.txt`);
    expect(await opened.content()).toContain("&lt;script&gt;");
  });
});

describe.runIf(browser !== null)("pictures are shown", () => {
  test.each(["picture.png", "picture.svg"])("%s, in pages of other origins", async (name) => {
    page = `<!doctype html><img src="${files}/${name}">`;
    const opened = await open(elsewhere);
    await opened.waitForFunction(() => document.images[0]?.naturalWidth === 30);
    expect(ran()).toBe(false);
  });

  test("a style sheet is used", async () => {
    page = `<!doctype html><link rel="stylesheet" href="${files}/style.css"><p>text</p>`;
    const opened = await open(elsewhere);
    const color = () =>
      opened.evaluate(() => getComputedStyle(document.querySelector("p") ?? document.body).color);
    expect(await color()).toBe("rgb(1, 2, 3)");
  });

  test("a picture fills a page of its own", async () => {
    const opened = await open(`${files}/picture.png`);
    const box = await opened.locator("img").boundingBox();
    expect(box).toMatchObject({ width: 30, height: 20 });
  });
});
