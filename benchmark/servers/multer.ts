/** Express with multer's own storage on the disk, in `BENCHMARK_FILES`, as the documentation of multer has it. It checks nothing. */
import { createServer } from "node:http";
import express from "express";
import multer from "multer";
import { serve } from "./serve.ts";

const upload = multer({ dest: process.env["BENCHMARK_FILES"] ?? "" });
const app = express();
app.post("/storage/upload/file", upload.single("file"), (request, response) => {
  const { filename, size, mimetype } = request.file ?? {};
  response.json({ url: `/files/${filename}`, filename, size, mime_type: mimetype });
});
serve(createServer(app));
