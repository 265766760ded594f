// Numbers and texts as the page tells them.
import { type Control, entries, type Experiment, type LiveData, type Values } from "./data";

/** Six figures, and a power of ten as one writes it. */
export function figures(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return "–";
  const text = Number(value.toPrecision(digits)).toString();
  const power = /^(-?[\d.]+)e([+-]?\d+)$/.exec(text);
  const plain = power ? `${power[1]}\u00a0×\u00a010${superscript(Number(power[2]))}` : text;
  return plain.replace("-", "−");
}

/** Zero for a number that is rounding beside the size of what it belongs to. */
export function rounded(value: number, size: number): number {
  return Math.abs(value) <= 1e-12 * size ? 0 : value;
}

function superscript(value: number): string {
  return String(value).replace(/[-\d]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]));
}

/** A start by the names that Python reads: rotations by their entries. */
export function startOf(data: LiveData, values: Values): [string, number][] {
  const result: [string, number][] = [];
  const angles = new Set(data.attitudes.flatMap(({ tilt, heading, spin }) => [tilt, heading, spin]));
  for (const attitude of data.attitudes) entries(attitude, values).forEach((e, i) => result.push([attitude.names[i], e]));
  for (const control of data.controls) {
    if ((control.kind === "coordinate" || control.kind === "velocity") && !angles.has(control.name)) {
      result.push([control.name, values[control.name]]);
    }
  }
  return result;
}

/** A feedback law with its numbers put in. */
export function law(text: string, values: Values): string {
  return text.replace(/_law_\w+/g, (name) => {
    const value = values[name];
    return value === undefined ? name : value < 0 ? `(${value})` : String(value);
  });
}

/** The command that computes what is seen. */
export function command(data: LiveData, chosen: Experiment, verb: string): string {
  const { values } = chosen;
  const changed = data.controls.filter((control) => values[control.name] !== control.value);
  const names = new Set(changed.map((control) => control.name));
  for (const { tilt, heading, spin, names: entered } of data.attitudes) {
    if ([tilt, heading, spin].some((angle) => names.has(angle))) entered.forEach((name) => names.add(name));
  }
  let text = `nonholo ${verb} ${data.command.subject}`;
  for (const control of changed) if (control.kind === "parameter") text += ` --set ${control.name}=${values[control.name]}`;
  // what is not said is as in the system's own start
  for (const [name, value] of startOf(data, values)) if (names.has(name)) text += ` --start ${name}=${value}`;
  for (const control of changed) if (control.kind === "input") text += ` --input "${control.name}=${values[control.name]}"`;
  for (const [name, told] of Object.entries(data.command.laws)) {
    if (changed.some((control) => control.kind === "law" && told.includes(control.name))) text += ` --input "${name}=${law(told, values)}"`;
  }
  if (names.has("until")) text += ` --until ${values.until}`;
  return text;
}

/** Entries that differ from the page's own, by the tables of a file they belong to; the end of the motion apart. */
export interface Changes { tables: [string[], [string, number | string][]][]; until: number | null }

export function changes(data: LiveData, values: Values): Changes {
  const of = (kind: Control["kind"]) => data.controls.filter((control) => control.kind === kind);
  const moved = data.controls.some(({ kind, name, value }) => ["coordinate", "velocity", "angle"].includes(kind) && values[name] !== value);
  const laws: [string, number | string][] = Object.entries(data.command.laws)
    .filter(([, told]) => of("law").some(({ name, value }) => told.includes(name) && values[name] !== value))
    .map(([name, told]) => [name, law(told, values)]);
  laws.push(...of("input").filter(({ name, value }) => values[name] !== value).map(({ name }): [string, number] => [name, values[name]]));
  const parameters = of("parameter").filter(({ name, value }) => values[name] !== value).map(({ name }): [string, number] => [name, values[name]]);
  const all: Changes["tables"] = [[["parameters", "values"], parameters], [["start"], moved ? startOf(data, values) : []], [["inputs"], laws]];
  const until = of("until").find(({ name, value }) => values[name] !== value);
  return { tables: all.filter(([, entries]) => entries.length), until: until ? values.until : null };
}

/** A file with other numbers in it; its remarks, and all that is not changed, stay as they are; ``spare`` writes no zeros that were not there. */
export function patched(text: string, { tables, until }: Changes, spare = false): string {
  const lines = text.split("\n");
  const head = (line: string) => /^\s*\[\[?\s*([^\]]*?)\s*\]/.exec(line)?.[1];
  for (const [names, entries] of tables) {
    let top = lines.findIndex((line) => names.includes(head(line) ?? ""));
    if (top < 0) {
      while (lines.length && lines[lines.length - 1].trim() === "") lines.pop();
      top = lines.push("", `[${names[0]}]`) - 1;
      lines.push("");
    }
    let end = lines.findIndex((line, k) => k > top && head(line) !== undefined);
    if (end < 0) end = lines.length;
    for (const [name, value] of entries) {
      const at = lines.findIndex((line, k) => k > top && k < end && line.split("=")[0].trim().replace(/^["']|["']$/g, "") === name);
      const line = `${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)} = ${typeof value === "number" ? number(value) : JSON.stringify(value)}`;
      if (at >= 0) lines[at] = line + (/^(?:[^"'#]|"[^"]*"|'[^']*')*?(\s*#.*)$/.exec(lines[at])?.[1] ?? "");
      else if (!spare || value !== 0) {
        let last = end;
        while (last > top + 1 && lines[last - 1].trim() === "") last--;
        lines.splice(last, 0, line);
        end++;
      }
    }
  }
  if (until !== null) {
    const first = lines.findIndex((line) => head(line) !== undefined);
    const at = lines.findIndex((line, k) => (first < 0 || k < first) && /^\s*until\s*=/.test(line));
    const name = lines.findIndex((line, k) => (first < 0 || k < first) && /^\s*(name|coordinates)\s*=/.test(line));
    lines.splice(at >= 0 ? at : name + 1, at >= 0 ? 1 : 0, `until = ${number(until)}`);
  }
  return lines.join("\n");
}

/** The system's file with the numbers that are seen. */
export function toml(data: LiveData, values: Values): string {
  return patched(data.toml, { ...changes(data, values), until: values.until });
}

function number(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Columns as comma-separated values, every digit kept. */
export function csv(columns: Record<string, Float64Array>): string {
  const names = Object.keys(columns).filter((name) => !name.startsWith("_"));
  const count = columns.t.length;
  const rows = [names.join(",")];
  for (let k = 0; k < count; k++) rows.push(names.map((name) => String(columns[name][k])).join(","));
  return `${rows.join("\n")}\n`;
}

/** The numbers that differ from the page's own, kicks and the exercise, for its address. */
export function fragment(data: LiveData, chosen: Experiment): string {
  const changed = data.controls.filter(({ name, value }) => chosen.values[name] !== value);
  const parts = changed.map(({ name }) => `${encodeURIComponent(name)}=${chosen.values[name]}`);
  parts.push(...chosen.kicks.map(({ time, speed, impulse }) => `kick=${time},${encodeURIComponent(speed)},${impulse}`));
  if (chosen.exercise !== undefined) parts.push(`exercise=${chosen.exercise + 1}`);
  return parts.length ? `#live&${parts.join("&")}` : "";
}

/** The experiment that an address asks for; what it does not know, it leaves. */
export function fromFragment(data: LiveData, hash: string): Experiment | null {
  if (!hash.startsWith("#live")) return null;
  const values = Object.fromEntries(data.controls.map(({ name, value }) => [name, value]));
  const kicks: Experiment["kicks"] = [];
  let exercise: number | undefined;
  for (const part of hash.slice(1).split("&").slice(1)) {
    const [name, text] = part.split("=").map((e) => {
      try {
        return decodeURIComponent(e);
      } catch {
        return "";
      }
    });
    if (name === "kick" && kicks.length < 20) {
      const [time, speed, impulse] = (text ?? "").split(",");
      const kick = { time: Number(time), speed, impulse: Number(impulse) };
      if (Number.isFinite(kick.time) && Number.isFinite(kick.impulse) && data.plan.speeds.includes(speed)) kicks.push(kick);
    } else if (name in values && text?.trim() && Number.isFinite(Number(text))) values[name] = Number(text);
    else if (name === "exercise" && Number(text) - 1 in data.exercises) exercise = Number(text) - 1;
  }
  return { values, kicks, exercise };
}
