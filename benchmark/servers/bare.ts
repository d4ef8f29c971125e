/** Node.js alone: what every server on it takes to start, and holds. */
import { createServer } from "node:http";
import { serve } from "./serve.ts";

serve(createServer((_request, response) => response.end()));
