import { createRequire } from "node:module";
import { basename } from "node:path";
import { isAccountMail, mailOfFile, strayMailFiles } from "../../vocabulary/mail/mail-files.ts";
import { type MailProblem, type ReadMail, readMail } from "../../vocabulary/mail/read-mail.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import type { InputFile } from "./files.ts";
import type { RawMail } from "./raw.ts";

const require = createRequire(import.meta.url);
/** Loaded only if there are templates. */
const handlebars = (): typeof import("handlebars") => require("handlebars");

/** The templates in `models/mails/`, their problems, and stray files. */
export interface RawMails {
  /** Custom mails. Templates that replace account mails are not listed: their values have types already. */
  readonly mails: readonly RawMail[];
  readonly problems: readonly { readonly at: SourceSpan; readonly message: string }[];
  readonly strays: readonly { readonly at: SourceSpan; readonly message: string }[];
}

/** Parses mail templates with the parser of the service. */
export function readMails(inputs: readonly InputFile[]): RawMails {
  const byName = new Map(inputs.map((input) => [basename(input.file), input]));
  const strays = strayMailFiles([...byName.keys()]).flatMap(({ name, problem }) => {
    const input = byName.get(name);
    return input === undefined ? [] : [{ at: placeOf(input, 1, 1), message: `this file ${problem}` }];
  });
  const readable = inputs.filter(({ text, invalid }) => text !== null && invalid === null);
  const unreadable = inputs.filter((input) => !readable.includes(input)).map(unreadableFile);
  const names = new Set(readable.flatMap(({ file }) => mailOfFile(basename(file))?.mail ?? []));
  const read = [...names].sort().map((name) => readOne(name, byName));
  return {
    mails: read.flatMap(({ mail }) => (isAccountMail(mail.name) ? [] : [mail])),
    problems: [...unreadable, ...read.flatMap(({ problems }) => problems)],
    strays,
  };
}

function readOne(name: string, files: ReadonlyMap<string, InputFile>) {
  const [txt, html] = [files.get(`${name}.txt`), files.get(`${name}.html`)];
  // An account mail can have only one of the two files. The built-in text replaces the other one.
  const texts = { txt: plainText(txt) ?? "Subject: -\n\n", html: plainText(html) };
  const { needed, optional, problems }: ReadMail<unknown> = readMail(name, texts, handlebars().parse);
  const placed = ({ file, line, column, problem }: MailProblem) => {
    const input = file === "txt" ? txt : html;
    return input === undefined ? [] : [{ at: placeOf(input, line, column), message: problem }];
  };
  return { mail: { name, needed, optional }, problems: problems.flatMap(placed) };
}

function plainText(input: InputFile | undefined): string | null {
  return input?.text?.replace(/^\ufeff/, "").replaceAll("\r\n", "\n") ?? null;
}

function unreadableFile(input: InputFile) {
  const message = input.problem === null ? "the file is not UTF-8" : `the file ${input.problem}`;
  return { at: { file: input.file, offset: input.invalid?.index ?? 0, length: 1 }, message };
}

/** The position of a line and a column. They are counted without the byte order mark. */
function placeOf({ file, text }: InputFile, line: number, column: number): SourceSpan {
  const lines = (text ?? "").split("\n").slice(0, line - 1);
  const before = lines.reduce((sum, { length }) => sum + length + 1, 0);
  const mark = line === 1 && text?.startsWith("\ufeff") === true ? 1 : 0;
  return { file, offset: before + mark + column - 1, length: 1 };
}
