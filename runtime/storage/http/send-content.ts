import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { boundPauses } from "../../http/index.ts";

/**
 * Answers with a content, no faster than the client takes it. Rejects where the content fails, which may be before anything is sent. A
 * client that leaves ends it. `onSent` is told of each piece.
 */
export function sendContent(
  response: ServerResponse,
  content: Readable,
  status: number,
  headers: OutgoingHttpHeaders,
  onSent: (bytes: number) => void = () => {},
): Promise<void> {
  // Its client left while the file was looked for, and nothing will say so any more.
  if (response.destroyed) return Promise.resolve(void content.destroy());
  return new Promise((resolve, reject) => {
    const pass = () => {
      if (response.writableNeedDrain) return;
      for (let chunk = content.read(); chunk !== null; chunk = content.read()) {
        onSent(chunk.length);
        if (!response.write(chunk)) return;
      }
    };
    response.once("close", () => {
      content.destroy();
      resolve();
    });
    response.on("drain", pass);
    content.once("error", reject);
    content.once("readable", () => {
      response.writeHead(status, headers);
      boundPauses(response);
    });
    content.on("readable", pass);
    content.once("end", () => response.end());
  });
}
