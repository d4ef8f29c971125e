import { connect } from "node:net";

export interface RawReply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are, and gives every answer that comes until the server hangs up. `cut` ends our side at once. */
export function sendRaw(port: number, bytes: string | Buffer, cut = false): Promise<RawReply[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", (error: Error & { code?: string }) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(split(Buffer.concat(chunks).toString("latin1"))));
    if (cut) socket.end(bytes);
    else socket.write(bytes);
  });
}

function split(text: string): RawReply[] {
  const replies: RawReply[] = [];
  let rest = text;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    const head = rest.slice(0, end === -1 ? undefined : end);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const interim = / 1\d\d /.test(head.slice(8, 13));
    const start = end === -1 ? rest.length : end + 4;
    if (!interim) {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
      replies.push({ status, head, body: rest.slice(start, start + length) });
    }
    rest = rest.slice(start + length);
  }
  return replies;
}
