/** How something is meant: style sheets know the words, and no figure is told by its colour alone. */
export type Tone = "plain" | "quiet" | "good" | "warn" | "bad";

/** Of the status of a request. */
export function statusTone(status: number): Tone {
  if (status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}

const words: Readonly<Record<string, Tone>> = {
  completed: "good",
  ok: "good",
  pending_approval: "warn",
  asked: "warn",
  failed: "bad",
  error: "bad",
};

/** Of the status of a run or a call. */
export function outcomeTone(status: string): Tone {
  return Object.hasOwn(words, status) ? (words[status] ?? "plain") : "plain";
}

/** Of a share of failures. */
export function failureTone(share: number): Tone {
  return share > 0 ? "bad" : "plain";
}

/** The same in a table, where what is zero stands back. */
export function countTone(count: number): Tone {
  return count > 0 ? "bad" : "quiet";
}

/** Of a level of the log. */
export function levelTone(level: string): Tone {
  if (level === "error" || level === "fatal") return "bad";
  return level === "warn" ? "warn" : "plain";
}
