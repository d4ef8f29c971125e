import { hostname } from "node:os";
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Printed at fixed positions. */
const fixedFields = new Set(["level", "time", "msg"]);
/**
 * Left out, because each line has the same values. A field of the same name with another value is printed.
 */
const processFields: Readonly<Record<string, unknown>> = { pid: process.pid, hostname: hostname() };
/** Lines of requests begin with them, instead of the message. */
const requestFields = ["method", "path", "status"] as const;
/** Terminals run them as commands, and some disguise text. */
const controlCharacters = /[^\P{Cc}\t\n]|\p{Bidi_Control}/gu;

const levels: readonly { readonly from: number; readonly name: string; readonly style: Style }[] = [
  { from: 60, name: "fatal", style: "red" },
  { from: 50, name: "error", style: "red" },
  { from: 40, name: "warn", style: "yellow" },
  { from: 30, name: "info", style: "green" },
  { from: 0, name: "debug", style: "blue" },
];

/** A log line for people: time, level, message and fields, then the stack. `service` is its name. */
export function readableLine(line: string, colours: boolean, service: string): string {
  const fields: Record<string, unknown> = JSON.parse(line);
  const paint = (style: Style, text: string) =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const { name, style } = levelOf(fields["level"]);
  const { err: error, ...rest } = fields;
  const { subject, further } = sorted(rest, service);
  const pairs = Object.entries({ ...further, ...factsOf(error) }).map(
    ([key, value]) => `${key}=${shown(value)}`,
  );
  const parts = [
    paint("dim", timeOf(fields["time"])),
    paint(style, printable(name.padEnd(5))),
    printable(subject),
    ...(pairs.length === 0 ? [] : [paint("dim", printable(pairs.join(" ")))]),
  ];
  return `${parts.join(" ")}\n${stackOf(error)}`;
}

/** Message and level of a log line. */
export function plainLine(line: string): string {
  const { level, msg }: { level: number; msg?: string } = JSON.parse(line);
  const severity = level >= 50 ? "error: " : level >= 40 ? "warning: " : "";
  return `${severity}${printable(msg ?? "")}\n`;
}

function levelOf(level: unknown) {
  const found = levels.find(({ from }) => typeof level === "number" && level >= from);
  return found ?? { name: String(level), style: "blue" as const };
}

function timeOf(time: unknown): string {
  if (typeof time !== "number") return shown(time);
  const moment = new Date(Number(time));
  const pad = (value: number, digits: number) => String(value).padStart(digits, "0");
  const clock = [moment.getHours(), moment.getMinutes(), moment.getSeconds()];
  return `${clock.map((value) => pad(value, 2)).join(":")}.${pad(moment.getMilliseconds(), 3)}`;
}

function sorted(fields: Readonly<Record<string, unknown>>, service: string) {
  const message = String(fields["msg"] ?? "");
  const isRequest = message === "request" && "method" in fields && "path" in fields;
  const inFront: readonly string[] = isRequest ? requestFields : [];
  const front = inFront.flatMap((key) => (key in fields ? [String(fields[key])] : []));
  const hidden: Readonly<Record<string, unknown>> = { ...processFields, name: service };
  const isShown = ([key, value]: readonly [string, unknown]) =>
    !fixedFields.has(key) && !inFront.includes(key) && hidden[key] !== value;
  const further = Object.entries(fields).filter(isShown);
  return { subject: isRequest ? front.join(" ") : message, further: Object.fromEntries(further) };
}

/** Fields of an error in addition to its stack, such as a code. */
function factsOf(error: unknown): Record<string, unknown> {
  if (typeof error !== "object" || error === null) return error === undefined ? {} : { err: error };
  const below = ["type", "message", "stack"];
  return Object.fromEntries(Object.entries(error).filter(([key]) => !below.includes(key)));
}

function stackOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const { stack, message = "" }: { stack?: unknown; message?: unknown } = error;
  return `    ${printable(String(stack ?? message))}\n`;
}

/** Single words need no quotes. */
function shown(value: unknown): string {
  return typeof value === "string" && /^[\w./:@+*[\]-]+$/.test(value) ? value : (JSON.stringify(value) ?? "");
}

/** Logged text must not forge log lines or move the cursor. */
function printable(text: string): string {
  return text
    .replace(controlCharacters, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replaceAll("\n", "\n    ");
}
