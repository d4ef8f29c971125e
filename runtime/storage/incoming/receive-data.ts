import { Readable } from "node:stream";
import { type IncomingFile, type ReceiveOptions, receiveFile } from "./receive-file.ts";

/** What code of the app hands over as a file: bytes, a text in UTF-8, or a stream of either. */
export type FileData = Uint8Array | string | Readable;

/** Receives what code of the app hands over, as `receiveFile` does. Error: a `TypeError` for chunks that are neither bytes nor text. */
export async function receiveData(data: FileData, options: ReceiveOptions): Promise<IncomingFile> {
  return receiveFile(Readable.from(bytesOf(data), { objectMode: false }), options);
}

/** Checked here: a stream to which something else is written ends the process. */
async function* bytesOf(data: FileData): AsyncGenerator<Uint8Array> {
  for await (const chunk of data instanceof Readable ? data : [data]) {
    if (typeof chunk === "string") yield Buffer.from(chunk);
    else if (chunk instanceof Uint8Array) yield chunk;
    else throw new TypeError("a file must be bytes, a text, or a stream of these");
  }
}
