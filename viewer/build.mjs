// Self-contained scripts: the viewer for pages without a network, the page of the lab; written beside and renamed.
import { build } from "esbuild";
import { copyFile, mkdir, readFile, readdir, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(here, "../src/nonholo/present/assets/viewer.js");

// the solver that runs in a worker is a text inside the viewer: a page has no other file to load
const common = { absWorkingDir: here, bundle: true, minify: true, format: "iife", target: "es2021", charset: "ascii", write: false, metafile: true };
const inner = await build({ ...common, entryPoints: ["src/living/worker.ts"] });
const worker = {
  name: "worker",
  setup(plugin) {
    plugin.onResolve({ filter: /^living-worker$/ }, () => ({ path: "living-worker", namespace: "text" }));
    plugin.onLoad({ filter: /.*/, namespace: "text" }, () => ({ contents: inner.outputFiles[0].text, loader: "text" }));
  },
};

const bundled = new Set(); // packages whose text is in what is written
const note = (result) => {
  for (const file of Object.keys(result.metafile.inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file);
    if (found) bundled.add(found[1]);
  }
};
note(inner);

// the page of the lab first: the viewer is what `make` looks at, so that it stands only where both do
await mkdir(dirname(target), { recursive: true });
for (const [name, entry] of [["lab.js", "src/lab/main.ts"], ["viewer.js", "src/main.ts"]]) {
  const result = await build({ ...common, entryPoints: [entry], legalComments: "inline", plugins: [worker] });
  note(result);
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

// The licences of all that is inside, from the packages themselves.
for (const source of Object.values(parts)) bundled.add(source.match(/^((?:@[^/]+\/)?[^/]+)/)[1]);
const notices = [];
for (const name of [...bundled].sort()) {
  const folder = resolve(here, "node_modules", name);
  const about = JSON.parse(await readFile(resolve(folder, "package.json"), "utf8"));
  const texts = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  if (!about.license) throw new Error(`${name} names no licence`);
  const words = await Promise.all(texts.map((file) => readFile(resolve(folder, file), "utf8")));
  const where = about.homepage ?? about.repository?.url ?? about.repository ?? "";
  const said = words.length ? words.map((text) => text.trim()).join("\n\n") : `(the package brings no text of its licence, ${about.license})`;
  notices.push(`${name} ${about.version}\nLicence: ${about.license}\n${where}\n\n${said}\n`);
}
const heading = "Scripts and fonts in this folder contain the following packages.\n";
const line = `\n${"=".repeat(78)}\n\n`;
await writeFile(resolve(dirname(target), "THIRD_PARTY_LICENSES.txt"), heading + line + notices.join(line));
console.log(`licences of ${bundled.size} packages`);
