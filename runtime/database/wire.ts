const bindCode = 0x42;
const closeCode = 0x43;
const executeCode = 0x45;
const parseCode = 0x50;
const queryCode = 0x51;
const syncCode = 0x53;

/** Execute of the unnamed portal without a row limit. */
const execute = Buffer.from([executeCode, 0, 0, 0, 9, 0, 0, 0, 0, 0]);

/** Sync: ends a batch, and makes the server answer with ReadyForQuery. */
export const sync = Buffer.from([syncCode, 0, 0, 0, 4]);

function message(code: number, bodyLength: number): Buffer {
  const buffer = Buffer.allocUnsafe(bodyLength + 5);
  buffer[0] = code;
  buffer.writeInt32BE(bodyLength + 4, 1);
  return buffer;
}

/** Query: one or more statements without parameters, which the server ends with ReadyForQuery by itself. */
export function query(text: string): Buffer {
  const buffer = message(queryCode, Buffer.byteLength(text) + 1);
  buffer[5 + buffer.write(text, 5)] = 0;
  return buffer;
}

/** Parse: prepares a statement; the empty name is that of the unnamed one. Types are left to the server. */
export function parse(name: string, text: string): Buffer {
  const buffer = message(parseCode, Buffer.byteLength(name) + Buffer.byteLength(text) + 4);
  let at = 5 + buffer.write(name, 5);
  buffer[at++] = 0;
  at += buffer.write(text, at);
  buffer.fill(0, at);
  return buffer;
}

/** Close of a prepared statement; no error when there is none of that name. */
export function close(name: string): Buffer {
  const buffer = message(closeCode, Buffer.byteLength(name) + 2);
  buffer[5] = 0x53;
  buffer[6 + buffer.write(name, 6)] = 0;
  return buffer;
}

/**
 * Bind of values to a prepared statement, and Execute, in one buffer. Values and results are text.
 * Throws a RangeError for more than 65,535 values.
 */
export function bindAndExecute(name: string, values: readonly unknown[]): Buffer {
  const texts: (string | null)[] = new Array(values.length);
  const lengths: number[] = new Array(values.length);
  let total = Buffer.byteLength(name) + 8;
  for (let i = 0; i < values.length; i++) {
    const text = toText(values[i]);
    const length = text === null ? 0 : Buffer.byteLength(text);
    texts[i] = text;
    lengths[i] = length;
    total += length + 4;
  }
  const buffer = Buffer.allocUnsafe(total + 5 + execute.length);
  buffer[0] = bindCode;
  buffer.writeInt32BE(total + 4, 1);
  buffer[5] = 0;
  let at = 6 + buffer.write(name, 6);
  buffer[at] = 0;
  buffer[at + 1] = 0;
  buffer[at + 2] = 0;
  at = buffer.writeUInt16BE(values.length, at + 3);
  for (let i = 0; i < values.length; i++) {
    const text = texts[i];
    if (text === null || text === undefined) {
      at = buffer.writeInt32BE(-1, at);
    } else {
      at = buffer.writeInt32BE(lengths[i] ?? 0, at);
      at += buffer.write(text, at);
    }
  }
  buffer[at] = 0;
  buffer[at + 1] = 0;
  execute.copy(buffer, at + 2);
  return buffer;
}

/** A value as PostgreSQL reads it: arrays become array literals, dates ISO 8601, other objects JSON. */
export function toText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  if (typeof value === "object") return objectToText(value);
  return String(value);
}

function objectToText(value: object): string {
  if (Array.isArray(value)) return `{${value.map(elementToText).join(",")}}`;
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value);
}

function elementToText(element: unknown): string {
  if (Array.isArray(element)) return objectToText(element);
  const text = toText(element);
  if (text === null) return "NULL";
  return typeof element === "number" ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
}
