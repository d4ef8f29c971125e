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

  /** The response of the SDK with the text. */
  async in({ status, headers, body }: Response): Promise<Response> {
    if (body === null) return new Response(null, { status, headers });
    const sent = await text(body);
    const exact = this.#text ?? "";
    return new Response(
      sent.replace(`{"${this.#marker}":true}`, () => exact),
      { status, headers },
    );
  }
}
