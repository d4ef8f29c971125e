import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";

/** JSON text in a response of the SDK, which would parse it and round its numbers. */
export class ExactJson {
  /** No text of a row can hold it. */
  readonly #marker = randomUUID();
  #text: string | null = null;

  /** What the SDK gets in place of the text of an object. */
  placeOf(json: string): Record<string, boolean> {
    // A line break between tokens would end an event of a stream.
    this.#text = json.replace(/[\r\n]/g, " ");
    return { [this.#marker]: true };
  }

  /** The response of the SDK with the text. Of its headers only the type counts: the body is complete. */
  async in({ status, headers, body }: Response): Promise<Response> {
    if (body === null) return new Response(null, { status });
    const sent = await text(body);
    const bytes = Buffer.from(sent.replace(`{"${this.#marker}":true}`, () => this.#text ?? ""));
    const type = headers.get("content-type") ?? "application/json";
    return new Response(bytes, {
      status,
      headers: { "content-type": type, "content-length": String(bytes.length) },
    });
  }
}
