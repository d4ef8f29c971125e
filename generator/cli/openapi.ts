import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { OpenApiDocument } from "../../vocabulary/openapi/document.ts";
import { completeDocument } from "../../vocabulary/openapi/role-document.ts";
import { printDocument } from "../emit/openapi/print-document.ts";
import { failed, messageOfError } from "./failed.ts";
import { readDocument } from "./read-document.ts";

/** The flags of `kirak openapi`. */
export interface DocumentFlags {
  readonly role: string | null;
  /** The file to write; null for the standard output. */
  readonly out: string | null;
  /** Compare with the file instead of writing it. */
  readonly check: boolean;
  readonly complete: boolean;
  readonly server: string | null;
}

/** Prints or writes the OpenAPI document of the models. Returns the exit code. */
export async function exportDocument(flags: DocumentFlags, root: string): Promise<0 | 1 | 2> {
  const { out, check } = flags;
  const read = await readDocument(root, flags.role);
  if ("problem" in read) return failed(2, read.problem);
  const text = documentText(read.document, flags);
  if (out === null) process.stdout.write(text);
  else if (!check) return write(resolve(root, out), text);
  else if (text !== textOf(resolve(root, out)))
    return failed(1, `${out} is out of date: run the command without --check\n`);
  return 0;
}

async function write(path: string, text: string): Promise<0 | 2> {
  try {
    await writeFile(path, text);
    return 0;
  } catch (error) {
    return failed(2, `${path} cannot be written: ${messageOfError(error)}\n`);
  }
}

function documentText(document: OpenApiDocument, { complete, server }: DocumentFlags): string {
  const shaped = complete ? completeDocument(document) : document;
  return printDocument(server === null ? shaped : { ...shaped, servers: [{ url: server }] });
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
