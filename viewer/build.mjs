// Self-contained scripts: the viewer for pages without a network, the page of the lab; written beside and renamed.
import { build } from "esbuild";
import { copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(here, "../src/nonholo/present/assets/viewer.js");

// the solver that runs in a worker is a text inside the viewer: a page has no other file to load
const common = { absWorkingDir: here, bundle: true, minify: true, format: "iife", target: "es2021", charset: "ascii", write: false };
const inner = await build({ ...common, entryPoints: ["src/living/worker.ts"] });
const worker = {
  name: "worker",
  setup(plugin) {
    plugin.onResolve({ filter: /^living-worker$/ }, () => ({ path: "living-worker", namespace: "text" }));
    plugin.onLoad({ filter: /.*/, namespace: "text" }, () => ({ contents: inner.outputFiles[0].text, loader: "text" }));
  },
};

// the page of the lab first: the viewer is what `make` looks at, so that it stands only where both do
await mkdir(dirname(target), { recursive: true });
for (const [name, entry] of [["lab.js", "src/lab/main.ts"], ["viewer.js", "src/main.ts"]]) {
  const result = await build({ ...common, entryPoints: [entry], legalComments: "inline", plugins: [worker] });
  const place = resolve(dirname(target), name);
  const beside = `${place}.${process.pid}.part`;
  await writeFile(beside, result.outputFiles[0].contents);
  await rename(beside, place);
  console.log(`${name}: ${Math.round(result.outputFiles[0].contents.length / 1024)} kB`);
}

// What the report needs beside the film: plotly without its 3-D part, and one family of fonts for words and formulas.
const parts = {
  "plotly.js": "plotly.js-basic-dist-min/plotly-basic.min.js",
  "math.woff2": "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
  "text.woff2": "@fontsource/stix-two-text/files/stix-two-text-latin-400-normal.woff2",
  "text-italic.woff2": "@fontsource/stix-two-text/files/stix-two-text-latin-400-italic.woff2",
  "text-bold.woff2": "@fontsource/stix-two-text/files/stix-two-text-latin-600-normal.woff2",
};
for (const [name, source] of Object.entries(parts)) {
  const place = resolve(dirname(target), name);
  await copyFile(resolve(here, "node_modules", source), `${place}.part`);
  await rename(`${place}.part`, place);
}
