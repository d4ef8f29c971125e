const patienceMs = 10_000;

/** An answer other than 2xx; the body is the provider's. */
export interface Posted {
  readonly status: number;
  readonly body: string;
}

/**
 * Posts to a provider, once: no redirect is followed, since it would carry the message and what signs it elsewhere. Errors
 * name `peer` and why, never what was sent. Gives the answer when it is no success, null when it is.
 */
export async function post(
  peer: string,
  url: string,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  limitMs = patienceMs,
): Promise<Posted | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: sent.headers,
      body: sent.body,
      signal: AbortSignal.timeout(limitMs),
    });
    if (!response.ok) return { status: response.status, body: await beginning(response) };
    await response.body?.cancel();
    return null;
  } catch (error) {
    throw new Error(`${peer} could not be reached: ${reason(error)}`);
  }
}

const longestBody = 4096;

async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length >= longestBody) break;
  }
  return text.slice(0, longestBody);
}

/** The code alone: messages of fetch may repeat the URL. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : error.name;
}
