// The lab's page, apart from any browser: numbers put into a text, lines of an answer, what differs, what is found.
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const bundle = resolve(tmpdir(), `nonholo-lab.${process.pid}.mjs`);
await build({
  stdin: {
    contents: `export { patched } from "../src/living/words"; export { split } from "../src/lab/api"; export { matching } from "../src/lab/dialogs";
      export { difference, freeName, linesOf, numbersOf } from "../src/lab/texts"; export { Answers } from "../src/lab/results";
      export { isLink, linkOf, textOf } from "../src/lab/sharing";`,
    resolveDir: here,
    loader: "ts",
  },
  bundle: true, format: "esm", outfile: bundle, logLevel: "error",
});
after(() => rm(bundle, { force: true }));
const lab = await import(pathToFileURL(bundle).href);

const TEXT = `# mine
name = "swing"   # a name
coordinates = "th"
lagrangian = "until = 3 # no"
[ parameters ]  # in SI units
m = 1.0   # mass
"l" = "pi/6" # length
[start]
th = 0.5
`;

test("numbers go to their place and remarks stay", () => {
  const made = lab.patched(TEXT, { tables: [[["parameters", "values"], [["m", 2], ["l", 0.25], ["g", 9.81]]], [["start"], [["th", -0.1], ["th dot", 1e-7]]]], until: 4 });
  assert.equal(made, TEXT.replace("m = 1.0 ", "m = 2.0 ").replace('"l" = "pi/6"', "l = 0.25").replace("# length", "# length\ng = 9.81").replace("th = 0.5", 'th = -0.1\n"th dot" = 1e-7')
    .replace("# a name\n", "# a name\nuntil = 4.0\n"));
  assert.equal(lab.patched(TEXT, { tables: [], until: null }), TEXT);
  const zeros = { tables: [[["start"], [["th", 0], ["thdot", 0]]]], until: null };
  assert.equal(lab.patched(TEXT, zeros, true), TEXT.replace("th = 0.5", "th = 0.0"));
  assert.equal(lab.patched(TEXT, zeros), TEXT.replace("th = 0.5", "th = 0.0\nthdot = 0.0"));
  assert.equal(lab.patched('until=2\nname = "x"\n', { tables: [], until: 5.5 }), 'until = 5.5\nname = "x"\n');
  assert.equal(lab.patched('name = "x"\n', { tables: [[["inputs", "signals"], [["u", 'sin("t")']]]], until: null }), 'name = "x"\n\n[inputs]\nu = "sin(\\"t\\")"\n');
});

test("messages that say something else are not numbers", () => {
  const right = { nonholo: "numbers", tables: [[["start"], [["th", 1]]]], until: null };
  assert.deepEqual(lab.numbersOf(right), { tables: right.tables, until: null });
  for (const wrong of [null, 3, {}, { ...right, nonholo: "x" }, { ...right, tables: 3 }, { ...right, tables: [[["start"], [["th", NaN]]]] }, { ...right, tables: [["start", []]] }, { ...right, tables: [[["start"], [[3, 4]]]] }, { ...right, tables: [] }]) {
    assert.equal(lab.numbersOf(wrong), null);
  }
});

test("a difference makes the one text of the other", () => {
  for (const [a, b] of [["abc", "axc"], ["", "x"], ["x", ""], ["aaa", "aa"], ["same", "same"], ["abab", "ab"]]) {
    const { from, to, insert } = lab.difference(a, b);
    assert.equal(a.slice(0, from) + insert + a.slice(to), b);
  }
});

test("lines come whole, however they are cut", () => {
  const whole = '{"a": 1}\n\n{"b": 2}\n{"c"';
  for (let cut = 0; cut <= whole.length; cut++) {
    const [first, rest] = lab.split(whole.slice(0, cut));
    const [second, left] = lab.split(rest + whole.slice(cut));
    assert.deepEqual([...first, ...second, left], ['{"a": 1}', '{"b": 2}', '{"c"']);
  }
});

test("answers fill, fail, wait and stop", () => {
  const answers = new lab.Answers();
  answers.begin();
  assert.deepEqual(answers.take({ stage: "equations", state: "begun" }), ["equations"]);
  answers.take({ stage: "equations", state: "done", sections: [{ title: "a", body: "b" }] });
  answers.take({ stage: "forms", state: "failed", words: "stopped" }); // the first form stays
  answers.take({ stage: "checks", state: "failed", words: "stopped after 2 s" });
  assert.deepEqual(["equations", "checks", "motion"].map((key) => answers.parts.get(key).state), ["done", "failed", "waiting"]);
  assert.deepEqual(answers.take({ stage: "", state: "end" }), ["motion", "symmetry", "verdict"]);
  assert.equal(answers.parts.get("motion").state, "stopped");
  answers.begin();
  assert.equal(answers.parts.get("equations").old, true);
  assert.equal(answers.parts.get("motion").old, false);
});

test("names are found by any of their words, and new ones are free", () => {
  const entries = [{ value: "a-b", title: "Rolling disk", small: "BMZ", group: "x" }, { value: "c", title: "Disk", small: "", group: "y" }];
  assert.equal(lab.matching(entries, "disk bmz").length, 1);
  assert.equal(lab.matching(entries, "").length, 2);
  const sleighs = [
    { value: "balanced-sleigh", title: "Balanced sleigh", small: "Chaplygin 1911", group: "a" },
    { value: "pushed-chaplygin-sleigh", title: "Chaplygin sleigh, pushed", small: "", group: "a" },
    { value: "chaplygin-sleigh", title: "Chaplygin sleigh", small: "", group: "b" },
  ];
  assert.deepEqual(lab.matching(sleighs, "Chaplygin sleigh").map((e) => e.value), ["chaplygin-sleigh", "pushed-chaplygin-sleigh", "balanced-sleigh"]);
  assert.equal(lab.freeName(["system.toml", "system-2.toml"], "system"), "system-3.toml");
});

test("the lines of a body are its table, or the braces around its name", () => {
  const text = 'name = "bike"\nworld = "space"\n[[bodies]]\nname = "frame"\nmass = 2\n\n[[bodies]]\nname = "rear wheel"\nmass = 1\nshape = {kind = "disk"}\n[[joints]]\nname = "steer"\n';
  const cut = (label, whole = text) => {
    const found = lab.linesOf(whole, label);
    return found && whole.slice(found.from, found.to);
  };
  assert.equal(cut("rear wheel"), '[[bodies]]\nname = "rear wheel"\nmass = 1\nshape = {kind = "disk"}');
  assert.equal(cut("frame"), '[[bodies]]\nname = "frame"\nmass = 2');
  assert.equal(cut("nothing (at all"), null);
  assert.equal(cut("ball", 'bodies = [{name = "ball", shape = {kind = "ball"}}]\n'), '{name = "ball", shape = {kind = "ball"}}');
});

test("a link holds a text and gives it back; what was cut or is none gives nothing", async () => {
  const text = { path: "mine/swing θ.toml", content: `${TEXT}# θ̇ “quoted” 😀\n`.repeat(40) };
  const link = await lab.linkOf(text, "http://127.0.0.1:8000/");
  assert.ok(lab.isLink(link) && /^[\w:/.#=-]+$/.test(link) && link.length < 1500);
  assert.deepEqual(await lab.textOf(link), { path: "shared.toml", content: text.content }, "a name with other letters is not taken over");
  assert.equal((await lab.textOf(await lab.linkOf({ path: "a/swing-2.toml", content: "x" }, ""))).path, "swing-2.toml");
  for (const bad of [link.slice(0, -40), "#text=", "#text=%%%", "#text=AAAA"]) assert.equal(await lab.textOf(bad), null);
  assert.equal(await lab.linkOf({ path: "long.toml", content: "x".repeat(300_000) }, ""), null);
  const bomb = await lab.linkOf({ path: "bomb.toml", content: "x".repeat(200_000) }, "");
  assert.ok(bomb.length < 2000 && (await lab.textOf(bomb)).content.length === 200_000);
});
