import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError } from "#runtime/core/config/index";
import { loadMailTemplates, type MailValues, requireMails } from "#runtime/modules/mail/index";

const values: MailValues<"verify-email"> = {
  service: "Book shop",
  link: "https://shop.example/auth/verify-email?token=a.b-c_d&x=1",
  email: "ann@example.org",
  first_name: "Ann",
  expires_in: "24 hours",
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kirak-mails-"));
  mkdirSync(join(root, "models", "mails"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const folder = () => join(root, "models", "mails");
const load = (files: Record<string, string | Buffer> = {}) => {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder(), name), content);
  return loadMailTemplates(folder());
};

function problemsOf(files: Record<string, string | Buffer>): readonly string[] {
  try {
    load(files);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("the runtime's own", () => {
  test.each(["verify-email", "reset-password", "change-email"] as const)(
    "%s has all that it needs in both bodies",
    (name) => {
      const { subject, text, html } = loadMailTemplates(join(root, "nowhere")).render(name, values);
      expect(subject).toMatch(/Book shop$/);
      expect(text.split("\n")).toContain(values.link);
      expect(text).toMatch(/^Hello Ann,\n\n.*ann@example\.org.*24 hours/s);
      expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
      const shown = values.link.replaceAll("&", "&amp;").replaceAll("=", "&#x3D;");
      expect(html?.split(shown)).toHaveLength(4);
      expect(html).not.toMatch(/\{\{|<(script|img|link|iframe|style)|url\(/);
    },
  );

  const notice = {
    ...{
      service: "Book shop",
      email: "ann@example.org",
      first_name: "Ann",
      what: "Your password was <b>changed</b>",
    },
    ...{
      time: "2026-11-29 08:41 UTC",
      device: "Firefox on Linux, 127.0.0.1",
      reply_to: "Help <help@shop.example>",
    },
  };

  test.each(["email-changed", "account-notice"] as const)(
    "%s names what, when and where, without a link",
    (name) => {
      const { subject, text, html } = load().render(name, notice);
      expect(subject).toMatch(/^Your .* was .*changed.* at Book shop$/);
      for (const value of [notice.what, notice.time, notice.device, notice.reply_to, notice.email])
        expect(text).toContain(value);
      expect(html).toContain("Your password was &lt;b&gt;changed&lt;/b&gt;");
      expect(text + html).not.toMatch(/\{\{|href|https?:|<(script|img|link|iframe|style)|url\(/);
      const unreachable = load().render(name, { ...notice, reply_to: null });
      expect(unreachable.text).toContain("tell the operator of Book shop at once");
    },
  );

  test("change-email-taken has no link", () => {
    const { subject, text, html } = load().render("change-email-taken", notice);
    expect(subject).toMatch(/Book shop$/);
    expect(text).toMatch(/^Hello Ann,\n\n.*ann@example\.org.*Book shop/s);
    expect(text + html).not.toMatch(/\{\{|href|https?:/);
  });

  test("without a name the greeting has none", () => {
    const { text, html } = load().render("verify-email", { ...values, first_name: null });
    expect(text).toMatch(/^Hello,\n/);
    expect(html).toContain("<p>Hello,</p>");
  });
});

describe("values that users wrote", () => {
  const hostile = {
    ...values,
    service: 'A & B <b>"x"</b>\r\nBcc: eve@evil.example',
    email: "o'neil<x>@example.org",
  };

  test("is escaped in HTML, as it is in text, and on one line everywhere", () => {
    const { subject, text, html } = load().render("verify-email", hostile);
    expect(subject).toBe('Confirm your e-mail address for A & B <b>"x"</b> Bcc: eve@evil.example');
    expect(text).toContain("o'neil<x>@example.org");
    expect(text).not.toMatch(/^Bcc:/m);
    expect(html).toContain("A &amp; B &lt;b&gt;&quot;x&quot;&lt;/b&gt;");
    expect(html).toContain("o&#x27;neil&lt;x&gt;@example.org");
  });

  test.each([
    "Your account is closed, see https://evil.example",
    "evil.example",
    "www.evil.example/x",
    "a@evil.example",
    "Ann\r\n\r\nPay at once",
    "x".repeat(51),
    "<b>Ann</b>",
    "{{link}}",
    "",
  ])("%j is not used as a name in a greeting", (first_name) => {
    const { text } = load().render("reset-password", { ...values, first_name });
    const greeting = text.split("\n")[0];
    expect(["Hello,", "Hello Ann Pay at once,"]).toContain(greeting);
    expect(greeting).not.toMatch(/evil/);
  });

  test.each(["Ann", "Jean-Luc", "O’Brien", "J. R.", "María José", "अन्ना", "明", "Zoë 2"])(
    "%s is",
    (first_name) => {
      expect(load().render("verify-email", { ...values, first_name }).text).toMatch(`Hello ${first_name},`);
    },
  );
});

describe("an app's own", () => {
  test("replace one body, or both; the rest stays", () => {
    const own = load({
      "verify-email.txt":
        "\uFEFFSubject: Willkommen bei {{service}}!\r\n\r\nHallo{{#if first_name}} {{first_name}}{{/if}}\r\n{{link}}",
      "reset-password.html": '{{! no name }}<a href="{{link}}">{{#unless first_name}}neu{{/unless}}</a>',
      ".DS_Store": "x",
    });
    const verify = own.render("verify-email", { ...values, service: "A & B" });
    expect(verify).toMatchObject({
      subject: "Willkommen bei A & B!",
      text: `Hallo Ann\n${values.link}`,
      html: expect.stringContaining("Confirm your e-mail address"),
    });
    const reset = own.render("reset-password", { ...values, first_name: null });
    expect(reset.html).toMatch(/^<a href="https:[^"]+">neu<\/a>$/);
    expect(reset.subject).toBe("Set a new password for Book shop");
  });

  test("all problems are reported at once, with file and line", () => {
    // biome-ignore format: many a line
    expect(
      problemsOf({
        "verify-email.txt": "Hello\n{{link}}\n", "verify-email.html": "<p>\n{{lnik}}\n{{{link}}}</p>",
        "reset-password.txt": "Subject: {{servce}}\n\n\n{{#if link}}\n{{first_name}",
        "reset-pasword.html": "x", "Invoice.txt": "Subject: x\n\nx", "invoice.html": "x", "invoice.md": "x",
        "reminder.txt": "Subject: {{title}}\n\n{{order.title}}", "reminder.html": "{{#if}}{{/if}}\n{{each}}",
      }),
    ).toEqual([
      "models/mails/Invoice.txt is not a template: names have lower-case letters, digits, - and _, and end in .txt or .html",
      "models/mails/invoice.html needs invoice.txt next to it, with the subject and the plain text",
      "models/mails/invoice.md is not a template: names have lower-case letters, digits, - and _, and end in .txt or .html",
      'models/mails/reset-pasword.html is not the name of an account mail; did you mean "reset-password"?',
      'models/mails/verify-email.txt:1: the first line must be the subject: "Subject: …"',
      "models/mails/verify-email.txt:2: the line after the subject must be empty",
      'models/mails/verify-email.html:2: there is no value "lnik"; did you mean "link"?; the values are service, link, email, first_name, expires_in',
      "models/mails/verify-email.html:3: {{{…}}} skips the escaping: use {{…}}",
      expect.stringMatching(/^models\/mails\/reset-password\.txt:1: there is no value "servce"/),
      expect.stringMatching(/^models\/mails\/reset-password\.txt:5: not a Handlebars template: /),
      'models/mails/reminder.txt:3: there is no value "order.title"; names have letters, digits and underscores, and begin with a letter',
      "models/mails/reminder.html:1: a template can hold only {{name}}, {{#if name}} and {{#unless name}}",
      expect.stringMatching(/^models\/mails\/reminder\.html:2: there is no value "each"/),
    ]);
  });

  test.each([
    ["{{constructor}}", /no value "constructor"/],
    ["{{__proto__.x}}", /no value/],
    ["{{this}}", /no value/],
    ["{{../link}}", /no value/],
    ["{{@root.link}}", /no value/],
    ['{{"link"}}', /no value/],
    ["{{lookup this 'constructor'}}", /the only helpers/],
    ["{{log link}}", /the only helpers/],
    ["{{link x=1}}", /the only helpers/],
    ["{{#each link}}{{/each}}", /can hold only/],
    ["{{#with link}}{{/with}}", /can hold only/],
    ["{{#link}}{{/link}}", /can hold only/],
    ["{{#if link email}}{{/if}}", /can hold only/],
    ["{{#if (lookup . 'x')}}{{/if}}", /no value/],
    ["{{> partial}}", /can hold only/],
    ["{{#*inline 'x'}}{{/inline}}", /can hold only/],
    ["{{&link}}", /escaping/],
    ["{{#if link}}{{else}}{{nothing}}{{/if}}", /no value "nothing"/],
    ["{{#if link}}", /Handlebars/],
    ["{{link", /Handlebars/],
  ])("%s is refused", (content, expected) => {
    expect(problemsOf({ "verify-email.html": `\n${content}` })).toEqual([
      expect.stringMatching(/^models\/mails\/verify-email\.html:\d/),
    ]);
    expect(problemsOf({ "verify-email.html": `\n${content}` })[0]).toMatch(expected);
  });

  test("each mail has its own values", () => {
    const changed = "Subject: S\n\n{{what}} {{time}} {{device}} {{reply_to}}";
    expect(
      problemsOf({
        "account-notice.txt": changed,
        "change-email-taken.txt": changed.replace("what", "link"),
      }),
    ).toEqual([
      expect.stringMatching(/^models\/mails\/change-email-taken\.txt:3: there is no value "link"/),
      ...["time", "device", "reply_to"].map((name) => expect.stringContaining(`there is no value "${name}"`)),
    ]);
  });

  test("templates that cannot be parsed", () => {
    mkdirSync(join(folder(), "verify-email.txt"));
    expect(problemsOf({ "verify-email.html": Buffer.from([0xff, 0xfe, 0x00]) })).toEqual([
      "models/mails/verify-email.html cannot be read: it is not UTF-8",
      "models/mails/verify-email.txt cannot be read: it cannot be opened",
    ]);
  });
});

describe("mails of the app", () => {
  const own = () =>
    load({
      "reminder.txt":
        "Subject: {{title}}, {{count}}\n\nDear {{name}},\n{{#if note}}{{note}} {{by}}{{else}}{{name}}{{/if}}",
      "reminder.html": "<p>{{name}}</p>{{#unless by}}{{else}}{{by}}{{/unless}}",
      "plain.txt": "Subject: Plain\n\nNothing to fill in",
    });
  const data = { title: "A\r\nBcc: eve@evil.example", count: 0, name: '<b>"Ann"</b>', by: "Bob" };

  test("values are escaped only in HTML, and a subject is one line", () => {
    expect(own().renderAppMail("reminder", { ...data, note: "Hurry", further: {} })).toEqual({
      subject: "A Bcc: eve@evil.example, 0",
      text: 'Dear <b>"Ann"</b>,\nHurry Bob',
      html: "<p>&lt;b&gt;&quot;Ann&quot;&lt;/b&gt;</p>Bob",
    });
  });

  test("without an .html file a mail is plain text", () => {
    expect(own().renderAppMail("plain", {})).toEqual({
      subject: "Plain",
      text: "Nothing to fill in",
      html: null,
    });
    expect(own().renderAppMail("plain", undefined).text).toBe("Nothing to fill in");
  });

  test("a value of a condition can be missing", () => {
    for (const note of [undefined, null, ""])
      expect(own().renderAppMail("reminder", { ...data, note }).text).toBe(
        'Dear <b>"Ann"</b>,\n<b>"Ann"</b>',
      );
  });

  // biome-ignore format: one case a line
  test.each<[string, unknown, RegExp]>([
    ["a value that is missing", { title: "x", count: 1, by: "Bob" }, /^the mail reminder needs a value for "name"$/],
    ["one that is null, and all of them", { title: null, count: 1 }, /needs a value for "by", "name", "title"$/],
    ["no data", undefined, /needs a value for "by", "count", "name", "title"$/],
    ["an inherited value", Object.create(data), /needs a value for/],
    ["an object, which could pose as escaped", { ...data, name: { toHTML: () => "<b>" } }, /"name" .* must be a string/],
    ["a function", { ...data, note: () => "x" }, /"note" .* must be a string/],
    ["no number", { ...data, count: Number.NaN }, /"count" .* must be a string/],
  ])("%s throws", (_, given, expected) => {
    expect(() => own().renderAppMail("reminder", given)).toThrow(expected);
  });

  test.each(["remindr", "verify-email", "__proto__", "../secret"])("there is not a template %s", (name) => {
    expect(() => own().renderAppMail(name, data)).toThrow(`there is no models/mails/${name}.txt`);
  });
});

test("all missing templates that the service was generated with are reported", () => {
  load({ "reminder.txt": "Subject: R\n\n" });
  expect(() => requireMails({ root }, ["reminder"])).not.toThrow();
  const missing = (name: string) =>
    `models/mails/${name}.txt is missing: code of this service can send that mail`;
  const thrown = () => requireMails({ root }, ["reminder", "closing", "invoice"]);
  expect(thrown).toThrow(missing("closing"));
  expect(thrown).toThrow(missing("invoice"));
  expect(thrown).not.toThrow("reminder");
});

test("the templates of docs/mail.md work", () => {
  const docs = readFileSync(new URL("../../../../docs/mail.md", import.meta.url), "utf8");
  const [text = "", html = ""] = [...docs.matchAll(/```handlebars\n(.*?)```/gs)].map(
    (match) => match[1] ?? "",
  );
  const own = load({ "verify-email.txt": text, "verify-email.html": html }).render("verify-email", values);
  expect(own).toMatchObject({
    subject: "Welcome to Book shop",
    text: expect.stringContaining(`\n${values.link}\n`),
    html: expect.stringContaining("<title>Welcome</title>"),
  });
  const [problem] = problemsOf({ "verify-email.html": html.replace('"{{link}}"', '"{{lnik}}"') });
  expect(docs).toContain(problem?.replace(/:\d+:/, ":5:"));
});
