import { dispositionOf } from "../../core/http/index.ts";
import type { CodeContext } from "../../hooks/context/index.ts";

/** The context of a route. */
export interface RouteContext extends CodeContext {
  /**
   * What the handler returns to send the client elsewhere: to an http(s) address, or a path of this host. Default status 302. Throws for
   * any other address.
   */
  redirect(url: string, status?: 302 | 303): Redirect;
}

/** The context of a route whose answer is not JSON. */
export interface ContentContext extends RouteContext {
  /** Has browsers save the answer as a file of this name. */
  download(name: string): void;
  /** The status of the answer, 200 to 299. Default 200. */
  status(code: number): void;
}

/** A redirect that a handler returns. */
export class Redirect {
  readonly #location: string;
  readonly #status: 302 | 303;

  constructor(url: string, status: 302 | 303 = 302) {
    if (status !== 302 && status !== 303) throw new Error("redirect(url, status): the status is 302 or 303");
    this.#location = locationOf(url);
    this.#status = status;
  }

  get location(): string {
    return this.#location;
  }

  get status(): 302 | 303 {
    return this.#status;
  }
}

/** The reserved name of no host: `//host` leads elsewhere, which is more often a mistake or an attack than meant. */
const here = "relative://here.invalid";

function locationOf(url: string): string {
  const refused = () =>
    new Error("redirect(url): the url is an http(s) address, or a path of this host such as /thanks");
  if (typeof url !== "string" || /[\p{Cc}\\]/u.test(url) || !url.isWellFormed()) throw refused();
  if (!URL.canParse(url, here)) throw refused();
  const { protocol, host, href } = new URL(url, here);
  if (/^https?:\/\//i.test(url)) return href;
  if (`${protocol}//${host}` !== here) throw refused();
  return url.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

/** What a handler says of its answer besides the content. */
export class AnswerHead {
  /** Of the answer. */
  status = 200;
  /** `Content-Disposition`; null where browsers may show the answer. */
  disposition: string | null = null;

  readonly words: Pick<ContentContext, "download" | "status"> = {
    download: (name) => {
      if (typeof name !== "string" || name === "") throw new Error("download(name): the name is a text");
      this.disposition = dispositionOf("attachment", name);
    },
    status: (code) => {
      if (!Number.isInteger(code) || code < 200 || code > 299)
        throw new Error("status(code): the code is a whole number from 200 to 299");
      this.status = code;
    },
  };
}
