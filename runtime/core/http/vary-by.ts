import type { Response } from "express";

/** Says that the answer depends on a header of the request. Express reads the header again that it adds to, and mostly there is none. */
export function varyBy(response: Response, header: string): void {
  if (response.hasHeader("Vary")) response.vary(header);
  else response.setHeader("Vary", header);
}
