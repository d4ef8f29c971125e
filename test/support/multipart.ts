import type { OutgoingHttpHeaders } from "node:http";

/** A part of a form: a field, a file, or a head and a content as they are. */
export type Part =
  | readonly [field: string, value: string]
  | {
      readonly name: string;
      readonly filename: string;
      readonly content: Buffer | string;
      readonly type?: string;
    }
  | { readonly head: string; readonly content: Buffer | string };

export interface Form {
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

const boundary = "----boundary.of-a_form";

/** A form as browsers send it. */
export function formOf(...parts: readonly Part[]): Form {
  const pieces = parts.flatMap((part) => [
    `--${boundary}\r\n${headOf(part)}\r\n\r\n`,
    "content" in part ? part.content : part[1],
    "\r\n",
  ]);
  const body = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
  return { headers: { "content-type": `multipart/form-data; boundary=${boundary}` }, body };
}

/** A file under the name that routes take. */
export function filePart(content: Buffer | string, filename = "photo.jpg"): Part {
  return { name: "file", filename, content };
}

function headOf(part: Part): string {
  if ("head" in part) return part.head;
  if (!("name" in part)) return `Content-Disposition: form-data; name="${escaped(part[0])}"`;
  const { name, filename, type = "application/octet-stream" } = part;
  return `Content-Disposition: form-data; name="${escaped(name)}"; filename="${escaped(filename)}"\r\nContent-Type: ${type}`;
}

/** As browsers do (HTML, "multipart/form-data encoding algorithm"). */
function escaped(text: string): string {
  return text.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}
