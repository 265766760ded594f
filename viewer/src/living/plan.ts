// What Python hands a living page (nonholo.present.living.living_data), what the page asks of its solver, and what it gets.
import type { ForceData } from "../forces";

export interface Table {
  nodes: number[];
  stages: number[][];
  weights: number[];
  fifth: number[];
  third: number[];
  more: number[][];
  dense: number[][];
}

export interface BodyPlan {
  shape: string;
  label: string;
  colour: string;
  /** Where position (3), rotation (9) and sizes stand among the numbers of the section `drawing`. */
  position: number;
  rotation: number;
  size: Record<string, number>;
  /** The section of its points, if it is a wire or surface, and whether they stay as they are through a motion. */
  points?: string;
  still?: boolean;
}

/** An arrow: the sum of columns times directions, which stand among the numbers of the section `drawing`. */
export interface ForcePlan {
  name: string;
  kind: "contact" | "reaction" | "momentum";
  colour: string;
  point: number;
  terms: [string, number][];
  normal?: number;
  slope?: number;
  /** The number of a contact that changes its mode. */
  contact?: number;
}

/** A contact: its forces and which unknown is each, -1 where other rows imply it; the place of a given load. */
export interface ContactPlan {
  name: string;
  parts: string[];
  unknowns: number[];
  load?: number;
}

/** A contact that may slip or lift: what its rows are, and where its invariants and directions stand. */
export interface TouchPlan {
  name: string;
  /** Names of the tangential forces. */
  parts: string[];
  rolls: boolean;
  lifts: boolean;
  /** It neither slips nor lifts. */
  permanent: boolean;
  impact: string;
  /** Places among the invariants, -1 without a gap. */
  gap: number;
  rate: number;
  slips: number[][];
  /** Coordinates by which a gap that is closed at the start stays closed. */
  loose: number[];
  /** Sizes; whether friction has a limit; where the state keeps the direction of a slip in the plane, else -1. */
  frictions: { kind: string; size: number; limited: boolean; direction: number }[];
}

/** Contacts that change their modes: the section `survey` holds their numbers, in the order of nonholo.integrate.contacts.contact_state. */
export interface SwitchPlan {
  touches: TouchPlan[];
  /** How many speeds come before the works. */
  speeds: number;
  /** Invariants that hold in every mode. */
  own: number[];
  /** Whether the last work is that of applied forces, whose power ends the section. */
  power: boolean;
  undecided: string;
  refused: Record<string, string>;
}

/** A contact that changed its mode. */
export interface Change {
  time: number;
  contact: string;
  before: string;
  after: string;
  why: string;
}

export interface DrawingPlan {
  ground: "plane" | "none";
  unit: string;
  bodies: BodyPlan[];
  traces: { label: string; colour: string; at: number }[];
  forces: ForcePlan[];
}

export interface Plan {
  format: number;
  name: string;
  wasm: string;
  sections: Record<string, number>;
  coordinates: string[];
  speeds: string[];
  inputs: string[];
  parameters: string[];
  unknowns: string[];
  shown: string[];
  invariants: string[];
  /** So many of the invariants are of the coordinates alone; they come first. */
  positions: number;
  /** Velocity constraints are linear in the velocities. */
  linear: boolean;
  /** The speeds are parameters of the velocities: there is nothing to complete. */
  parametric: boolean;
  /** Velocities that a start may name, in the order of the section `forms`. */
  forms: string[];
  /** Speeds that are zero when nothing is said of them, the first ones first. */
  order: number[];
  method: Table;
  rtol: number;
  atol: number;
  samples: number;
  outcomes: Record<string, [string, string]>;
  drawing: DrawingPlan | null;
  contacts: ContactPlan[];
  /** How many constraints are no contact's, where forces must be shared; else -1. */
  own: number;
  /** Contacts that change their modes; null where none does. */
  switching: SwitchPlan | null;
}

/** A start as it is asked for: coordinates, those that must stay as given, velocities by name, a guess for all speeds. */
export interface Start {
  time: number;
  coordinates: number[];
  held: boolean[];
  velocities: Record<string, number>;
  guess: number[];
}

/** An impulse on one speed at a time; the constraints answer at once. */
export interface Kick {
  time: number;
  speed: number;
  impulse: number;
}

export interface Request {
  parameters: number[];
  inputs: number[];
  start: Start;
  until: number;
  kicks: Kick[];
  picture: boolean;
}

export interface Outcome {
  kind: string;
  time: number;
  advice: string;
}

export interface Completed {
  state: Float64Array;
  /** Names of what was given and could not be kept, with what it became. */
  moved: Record<string, number>;
  trouble: string;
}

export interface Motion {
  times: Float64Array;
  /** Every quantity by name. */
  columns: Record<string, Float64Array>;
  first: Float64Array;
  final: Float64Array;
  outcome: Outcome;
  moved: Record<string, number>;
  /** The kinetic energy of some admissible velocity is negative at the start. */
  negative: boolean;
  /** Changes of contacts, in the order of time. */
  changes: Change[];
  steps: number;
  calls: number;
  milliseconds: number;
  picture: Picture | null;
}

export interface Picture {
  low: number[];
  high: number[];
  reach: number;
  follow: Float32Array;
  times: Float32Array;
  bodies: {
    position: Float32Array;
    rotation: Float32Array;
    size: Record<string, number | Float32Array>;
    points?: Float32Array;
    grid?: number[];
    turns: boolean;
    moves: boolean;
  }[];
  traces: Float32Array[];
  forces: ForceData[];
}
