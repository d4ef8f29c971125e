/** `express.static` on the folder `BENCHMARK_FILES`, as the documentation of Express has it. */
import { createServer } from "node:http";
import express from "express";
import { serve } from "./serve.ts";

const app = express();
app.use("/storage/files", express.static(process.env["BENCHMARK_FILES"] ?? ""));
serve(createServer(app));
