// Numbers and texts as the page tells them.
import { type Control, entries, type Experiment, type LiveData, type Values } from "./data";

/** Six figures, and a power of ten as one writes it. */
export function figures(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return "–";
  const text = Number(value.toPrecision(digits)).toString();
  const power = /^(-?[\d.]+)e([+-]?\d+)$/.exec(text);
  const plain = power ? `${power[1]} · 10${superscript(Number(power[2]))}` : text;
  return plain.replace("-", "−");
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

/** The system's file with the numbers that are seen. */
export function toml(data: LiveData, values: Values): string {
  const lines = data.toml.split("\n");
  const put = (tables: string[], entries: [string, number | string][]) => {
    let head = lines.findIndex((line) => tables.includes(line.trim()));
    if (head < 0) {
      if (!entries.length) return;
      lines.push(tables[0]);
      head = lines.length - 1;
    }
    let end = lines.findIndex((line, k) => k > head && line.startsWith("["));
    if (end < 0) end = lines.length;
    for (const [name, value] of entries) {
      const at = lines.findIndex((line, k) => k > head && k < end && line.split("=")[0].trim().replace(/^"|"$/g, "") === name);
      const written = typeof value === "number" ? number(value) : JSON.stringify(value);
      const line = `${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)} = ${written}`;
      if (at >= 0) lines[at] = line;
      else {
        let last = end;
        while (last > head + 1 && lines[last - 1].trim() === "") last--;
        lines.splice(last, 0, line);
        end++;
      }
    }
  };
  const of = (kind: Control["kind"]) => data.controls.filter((control) => control.kind === kind);
  const moved = data.controls.some(({ kind, name, value }) => ["coordinate", "velocity", "angle"].includes(kind) && values[name] !== value);
  put(["[parameters]", "[values]"], of("parameter").filter(({ name, value }) => values[name] !== value).map(({ name }) => [name, values[name]]));
  if (moved) put(["[start]"], startOf(data, values));
  const laws: [string, number | string][] = Object.entries(data.command.laws)
    .filter(([, told]) => of("law").some(({ name, value }) => told.includes(name) && values[name] !== value))
    .map(([name, told]) => [name, law(told, values)]);
  laws.push(...of("input").filter(({ name, value }) => values[name] !== value).map(({ name }): [string, number] => [name, values[name]]));
  if (laws.length) put(["[inputs]", "[signals]"], laws);
  const until = lines.findIndex((line) => line.startsWith("until = "));
  const told = `until = ${number(values.until)}`;
  if (until >= 0) lines[until] = told;
  else lines.splice(1, 0, told);
  return lines.join("\n");
}

function number(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Columns as comma-separated values, every digit kept. */
export function csv(columns: Record<string, Float64Array>): string {
  const names = Object.keys(columns);
  const count = columns.t.length;
  const rows = [names.join(",")];
  for (let k = 0; k < count; k++) rows.push(names.map((name) => String(columns[name][k])).join(","));
  return `${rows.join("\n")}\n`;
}

/** The numbers that differ from the page's own, for its address. */
export function fragment(data: LiveData, chosen: Experiment): string {
  const changed = data.controls.filter(({ name, value }) => chosen.values[name] !== value);
  const parts = changed.map(({ name }) => `${encodeURIComponent(name)}=${chosen.values[name]}`);
  parts.push(...chosen.kicks.map(({ time, speed, impulse }) => `kick=${time},${encodeURIComponent(speed)},${impulse}`));
  return parts.length ? `#live&${parts.join("&")}` : "";
}

/** The experiment that an address asks for; what it does not know, it leaves. */
export function fromFragment(data: LiveData, hash: string): Experiment | null {
  if (!hash.startsWith("#live")) return null;
  const values = Object.fromEntries(data.controls.map(({ name, value }) => [name, value]));
  const kicks: Experiment["kicks"] = [];
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
  }
  return { values, kicks };
}
