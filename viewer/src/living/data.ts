// A living page's data beside the solver's plan: controls, presets, symbols, texts that follow.
import type { Plan, Request } from "./plan";

export type Kind = "coordinate" | "velocity" | "angle" | "parameter" | "law" | "input" | "until";

export interface Control {
  name: string;
  kind: Kind;
  /** HTML of the symbol. */
  label: string;
  meaning: string;
  unit: string;
  value: number;
  low: number;
  high: number;
  step: number;
  /** Why it is rarely needed: it moves the motion as a whole, or follows from the others. */
  fold: "" | "moves" | "follows";
}

/** A rotation by its matrix, quaternion or vertical, whose start is told by angles: R = Rz(heading) Rx(tilt) Rz(spin). */
export interface Attitude {
  kind: "matrix" | "quaternion" | "vertical";
  names: string[];
  tilt: string;
  heading: string;
  spin: string;
}

export interface Preset {
  name: string;
  values: Record<string, number>;
}

export interface Sign {
  name: string;
  label: string;
  mathml: string;
  meaning: string;
  unit: string;
}

/** A question with choices, or a goal that a column must come near to. */
export interface Exercise {
  question: string;
  choices?: string[];
  answer?: number;
  column: string;
  within?: number;
  at: "end" | "closest";
  set?: Record<string, number>;
  change?: string[];
  because?: string;
}

/** An instant of the motion with a caption: a time, or where a column next passes through zero. */
export interface Stop {
  text: string;
  at?: number;
  column: string;
  speed: number;
  forces?: boolean;
}

export interface LiveData {
  plan: Plan;
  controls: Control[];
  attitudes: Attitude[];
  /** Coordinates that holonomic constraints tie together, and those of them that a start holds. */
  tied: string[];
  held: string[];
  guess: number[];
  time: number;
  presets: Preset[];
  exercises: Exercise[];
  story: Stop[];
  /** Speeds that a kick may strike. */
  kicks: { name: string; label: string; size: number; unit: string }[];
  signs: Sign[];
  /** Quantities that the strip below the film shows first. */
  strip: string[];
  /** What is conserved: energy, integrals, and how they are called. */
  constant: string[];
  conserved: boolean;
  command: { subject: string; laws: Record<string, string> };
  toml: string;
}

export type Values = Record<string, number>;

/** What the user has chosen: numbers by control, kicks, and an exercise. */
export interface Experiment {
  values: Values;
  kicks: { time: number; speed: string; impulse: number }[];
  /** The exercise that is being done, counted from 0. */
  exercise?: number;
}

/** Entries of a rotation told by angles. */
export function entries(attitude: Attitude, values: Values): number[] {
  const tilt = values[attitude.tilt];
  const spin = values[attitude.spin];
  const heading = values[attitude.heading] ?? 0;
  const [ct, st, cs, ss, ch, sh] = [Math.cos(tilt), Math.sin(tilt), Math.cos(spin), Math.sin(spin), Math.cos(heading), Math.sin(heading)];
  if (attitude.kind === "vertical") return [st * ss, st * cs, ct];
  if (attitude.kind === "quaternion") {
    const [a, b, c, d] = [Math.cos(tilt / 2), Math.sin(tilt / 2), (heading + spin) / 2, (heading - spin) / 2];
    return [a * Math.cos(c), b * Math.cos(d), b * Math.sin(d), a * Math.sin(c)];
  }
  return [
    ch * cs - sh * ct * ss, -ch * ss - sh * ct * cs, sh * st,
    sh * cs + ch * ct * ss, -sh * ss + ch * ct * cs, -ch * st,
    st * ss, st * cs, ct,
  ];
}

/** What the solver is asked, for the numbers chosen; `touched` is the coordinate moved last. */
export function request(data: LiveData, chosen: Experiment, touched: string, guess: number[]): Request {
  const { plan } = data;
  const { values } = chosen;
  const placed: Values = {};
  for (const attitude of data.attitudes) entries(attitude, values).forEach((e, i) => (placed[attitude.names[i]] = e));
  const velocities: Values = {};
  for (const control of data.controls) if (control.kind === "velocity") velocities[control.name] = values[control.name];
  const tied = new Set(data.tied);
  return {
    parameters: plan.parameters.map((name) => values[name]),
    inputs: plan.inputs.map((name) => values[name] ?? 0),
    start: {
      time: data.time,
      coordinates: plan.coordinates.map((name) => placed[name] ?? values[name] ?? 0),
      held: plan.coordinates.map((name) => !tied.has(name) || name === touched || (data.held.includes(name) && !tied.has(touched))),
      velocities,
      guess,
    },
    until: values.until,
    kicks: chosen.kicks.map(({ time, speed, impulse }) => ({ time, speed: plan.speeds.indexOf(speed), impulse })),
    picture: true,
  };
}
