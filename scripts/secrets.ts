/** `npm run secrets`: prints fresh values for every secret of `.env`. */
import { secretLines } from "./secrets/secret-lines.ts";

process.stdout.write(secretLines());
