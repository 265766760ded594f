// One self-contained script for pages without a network; written beside and renamed.
import { build } from "esbuild";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(here, "../src/nonholo/present/assets/viewer.js");

const result = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2021",
  charset: "ascii",
  legalComments: "inline",
  write: false,
});
await mkdir(dirname(target), { recursive: true });
const beside = `${target}.${process.pid}.part`;
await writeFile(beside, result.outputFiles[0].contents);
await rename(beside, target);
console.log(`viewer.js: ${Math.round(result.outputFiles[0].contents.length / 1024)} kB`);
