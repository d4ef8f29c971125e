import { type Asked, overGraphql, overRest } from "../../support/graphql-both-ways.ts";
import type { Request } from "./world.ts";

/** The ways to ask for one operation. */
export type Way = "REST" | "GraphQL";

/** One operation as a request, over one of both ways. */
export function requestOf(way: Way, asked: Asked, selection: string): Request {
  if (way === "GraphQL") return { method: "POST", path: "/graphql", body: overGraphql(asked, selection) };
  const { method, path, body } = overRest(asked);
  return { method, path, body };
}
