import { availableParallelism } from "node:os";
import bcrypt from "bcrypt";
import { ServiceError } from "../errors/index.ts";

const cost = 12;
const longestQueue = 64;

/**
 * Hashes passwords with bcrypt, as many at once as there are cores, so that other requests keep theirs. When 64 wait
 * already, the next is refused with 503 (decisions, part 7).
 */
export function passwordHasher(rounds = cost): (password: string) => Promise<string> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (password) => {
    if (running >= availableParallelism()) {
      if (waiting.length >= longestQueue) throw tooBusy();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await bcrypt.hash(password, rounds);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

function tooBusy(): ServiceError {
  return new ServiceError("HTTP_ERROR", "Too many passwords are being hashed. Try again soon.", undefined, {
    status: 503,
    headers: { "Retry-After": "1" },
  });
}
