// Solves what a file asks, with the page's own solver in Node: node solve.mjs work.json answers.json
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const bundle = resolve(tmpdir(), `nonholo-solver.${process.pid}.mjs`);
await build({
  stdin: { contents: `export { Solver } from "../src/living/solver";`, resolveDir: here, loader: "ts" },
  bundle: true, format: "esm", outfile: bundle, logLevel: "error",
});
const { Solver } = await import(pathToFileURL(bundle).href);
await rm(bundle, { force: true });
const work = JSON.parse(await readFile(process.argv[2], "utf8"));
const answers = {};
for (const [name, { plan, requests }] of Object.entries(work)) {
  const solver = new Solver(plan);
  answers[name] = requests.map((request) => {
    const again = Math.max(1, request.repeat ?? 1);
    const spent = [];
    const processor = [];
    let motion;
    for (let k = 0; k < again; k++) {
      const before = process.cpuUsage();
      motion = solver.solve(request, request.patient ? () => 0 : undefined);
      const { user, system } = process.cpuUsage(before);
      spent.push(motion.milliseconds);
      processor.push((user + system) / 1000);
    }
    const { outcome, moved, negative, steps, calls } = motion;
    const last = Object.fromEntries(Object.entries(motion.columns).map(([n, c]) => [n, c[c.length - 1]]));
    const columns = Object.fromEntries((request.columns ?? []).map((n) => [n, Array.from(motion.columns[n] ?? [])]));
    const picture = request.pictured && motion.picture
      ? JSON.parse(JSON.stringify(motion.picture, (_, e) => (ArrayBuffer.isView(e) ? Array.from(e) : e))) : null;
    return {
      outcome, moved, negative, steps, calls, changes: motion.changes, spent, processor, last, columns, picture, samples: motion.times.length,
      first: Array.from(motion.first), final: Array.from(motion.final),
    };
  });
}
await writeFile(process.argv[3], JSON.stringify(answers));
