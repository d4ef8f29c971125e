import { expect, test } from "vitest";
import { loadFiles } from "./load-text.ts";

test("mails of the app are part of the definition, with their files; these are watched", async () => {
  const { definition, diagnostics, inputs, sources } = await loadFiles({
    "mails/reminder.txt": "\ufeffSubject: {{title}}\r\n\r\n{{#if note}}{{note}} {{by}}{{/if}}",
    "mails/reminder.html": "<p>{{#unless done}}{{name}}{{else}}{{done}}{{/unless}}</p>",
    "mails/closing.txt": "Subject: We close\n\nGood bye\n",
    "mails/verify-email.html": "{{link}}",
    "mails/.reminder.txt.swp": "x",
  });
  expect(diagnostics).toEqual([]);
  expect(definition?.mails).toEqual([
    { name: "closing", needed: [], optional: [] },
    { name: "reminder", needed: ["by", "name", "title"], optional: ["done", "note"] },
  ]);
  expect(inputs).toEqual(expect.arrayContaining(["mails/reminder.txt", "mails/verify-email.html"]));
  expect(sources.has("mails/reminder.html")).toBe(true);
});

test("a name that is both asked about and needed elsewhere is needed", async () => {
  const { definition } = await loadFiles({
    "mails/a.txt": "Subject: A\n\n{{#if b}}{{b}}{{else}}{{c}}{{/if}}{{#unless c}}{{c}}{{/unless}}",
  });
  expect(definition?.mails).toEqual([{ name: "a", needed: ["c"], optional: ["b"] }]);
});

test("places refer to the unchanged file, for all line endings", async () => {
  const { diagnostics } = await loadFiles({
    "mails/a.txt": "\ufeffSubject: {{x.y}}\r\n\r\nfirst\r\nand {{x.y}}",
    "mails/b.txt": new Uint8Array([0x53, 0xff]),
    "mails/c.txt/d": "",
  });
  expect(
    diagnostics.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`),
  ).toEqual([
    expect.stringMatching(/^mails\/a\.txt:1:13 there is no value "x\.y"/),
    expect.stringMatching(/^mails\/a\.txt:4:7 there is no value "x\.y"/),
    "mails/b.txt:1:2 the file is not UTF-8",
    "mails/c.txt:1:1 the file is a folder",
  ]);
});
