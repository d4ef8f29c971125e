import { createHash } from "node:crypto";
import type { ServerContext } from "@modelcontextprotocol/server";
import { exactText, isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";

/** What a form was about. It is signed, and bound to the caller. */
export interface AskedState {
  readonly tool: string;
  /** A hash of the arguments. */
  readonly args: string;
  /** The number of rows that the form named. */
  readonly rows: number;
}

/** The outcome of a question. */
export type Answered = "accepted" | "declined" | "cancelled";

export function argumentsHash({ confirm: _, ...args }: JsonObject): string {
  return createHash("sha256").update(exactText(args)).digest("base64url");
}

const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

/** Whether the client of a request shows forms. Clients of 2025 cannot be asked by a server without sessions. */
export function showsForms({ mcpReq }: ServerContext): boolean {
  const capabilities: unknown = Reflect.get(mcpReq.envelope ?? {}, capabilitiesKey);
  const elicitation = isJsonObject(capabilities) ? capabilities["elicitation"] : undefined;
  return isJsonObject(elicitation) && ("form" in elicitation || !("url" in elicitation));
}

/** The state of the form that a call answers; null for a call that answers none, or a form about something else. */
export function answeredState({ mcpReq }: ServerContext, tool: string, args: JsonObject): AskedState | null {
  const state = mcpReq.requestState<AskedState>();
  return state !== undefined && state.tool === tool && state.args === argumentsHash(args) ? state : null;
}

/** What a person answered in the form; null without an answer. */
export function answerOf({ mcpReq }: ServerContext): Answered | null {
  const answer: unknown = mcpReq.inputResponses?.["confirm"];
  if (!isJsonObject(answer)) return null;
  const { action, content } = answer;
  if (action === "decline") return "declined";
  if (action === "cancel") return "cancelled";
  if (action !== "accept") return null;
  return isJsonObject(content) && content["confirm"] === true ? "accepted" : "declined";
}

/** The question of a form. `fields` are those that an update sets. */
export function questionOf(
  operation: string,
  model: string,
  rows: number,
  fields: readonly string[],
): string {
  const verb = { update: "Change", delete: "Delete", destroy: "Delete for good" }[operation] ?? operation;
  const changed = fields.length > 0 ? `${fields.join(", ")} of ` : "";
  return `${verb} ${changed}${rows} ${rows === 1 ? "row" : "rows"} of ${model}?`;
}
