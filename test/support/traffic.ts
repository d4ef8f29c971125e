import { onTestFinished } from "vitest";
import { type Reply, type Sent, sendRequest } from "./request.ts";

/** Requests that go on until they are told to stop. */
export interface Traffic {
  /** What was answered since the last look. */
  look(): readonly Reply[];
  /** Ends it, and gives the rest. A test that fails ends it too. */
  stop(): Promise<readonly Reply[]>;
}

/** Sends one request again and again, `atOnce` at a time. A request without an answer fails `stop`. */
export function sendTraffic(origin: string, sent: Sent, atOnce = 8): Traffic {
  let replies: Reply[] = [];
  let isStopped = false;
  const look = () => {
    const seen = replies;
    replies = [];
    return seen;
  };
  const senders = Array.from({ length: atOnce }, async () => {
    while (!isStopped) {
      const reply = await sendRequest(origin, sent);
      replies.push(reply);
    }
  });
  const ended = Promise.all(senders);
  ended.catch(() => {});
  const stop = async () => {
    isStopped = true;
    await ended;
    return look();
  };
  onTestFinished(() => {
    isStopped = true;
  });
  return { look, stop };
}
