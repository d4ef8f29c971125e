import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { listening } from "./listening.ts";

/** A record as a collector gets it. */
export interface ShippedRecord {
  readonly at: string;
  readonly level: string;
  readonly message: string;
  readonly request_id: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ShippedBatch {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly logs: readonly ShippedRecord[];
  /** How long the body was, in bytes. */
  readonly length: number;
}

/** How a collector answers a batch: a status, or a function that writes the response. */
export type Reaction = number | ((response: ServerResponse, batch: ShippedBatch) => void);

/** A collector of logs that accepts everything, unless a test sets its response. */
export interface TestCollector {
  readonly url: string;
  readonly batches: ShippedBatch[];
  /** Of the batches that it took, in order. */
  messages(): string[];
  react(batch: ShippedBatch): Reaction;
}

/** It is closed after the test file. */
export async function testCollector(): Promise<TestCollector> {
  const taken: ShippedRecord[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      const { logs }: { logs: ShippedRecord[] } = JSON.parse(body.toString());
      const batch = { path: request.url ?? "", headers: request.headers, logs, length: body.length };
      collector.batches.push(batch);
      const reaction = collector.react(batch);
      if (typeof reaction === "function") reaction(response, batch);
      else {
        if (reaction < 300) taken.push(...logs);
        response.writeHead(reaction, { location: "/elsewhere" }).end();
      }
    });
  });
  const url = await listening(server);
  const collector: TestCollector = {
    url: `${url}/logs`,
    batches: [],
    messages: () => taken.map(({ message }) => message),
    react: () => 204,
  };
  return collector;
}
