// Every combination of the contacts is tried, those that contradict themselves are left out: nonholo.integrate.contacts.mode_choice.
import { dot } from "./linear";
import { type Acting, acting, type Answer, type Contacts, least, type Mode, solved, type Ways } from "./touching";

const SLACK = 1e-9;
const MOST = 4096;
/** Angles between which directions of slip are looked for. */
const ANGLES = 360;

export interface Situation {
  touching: boolean[];
  lifts: boolean[];
  /** Whether a friction's velocity is zero, and which must not hold; contacts that must not stay closed. */
  still: (k: number, f: number) => boolean;
  noStick: (k: number, f: number) => boolean;
  noClosed: (k: number) => boolean;
}

function combinations({ touches, rows }: Contacts, situation: Situation): Mode[] {
  let found: Mode[] = [[]];
  touches.forEach(({ frictions }, k) => {
    const choices: Acting[] = [];
    if (!situation.touching[k]) choices.push(null);
    else {
      let closed: string[][] = situation.noClosed(k) ? [] : [[]];
      frictions.forEach((friction, f) => {
        const plane = friction.rows.length === 2;
        let ways = plane ? ["free"] : [rows[friction.rows[0]].value > 0 ? "+" : "-"];
        if (situation.still(k, f)) {
          const held = situation.noStick(k, f) ? [] : ["stick"];
          ways = friction.limit === Infinity ? held : [...held, ...(plane ? ["fixed"] : ["+", "-"])];
        }
        closed = closed.flatMap((part) => ways.map((way) => [...part, way]));
      });
      choices.push(...closed, ...(situation.lifts[k] ? [null] : []));
    }
    found = found.flatMap((mode) => choices.map((acting) => [...mode, acting])).slice(0, MOST);
  });
  return found;
}

class Decision {
  private readonly normalScale: number[];
  private readonly openingScale: number[];
  private readonly slipScale: number[][];

  constructor(readonly contacts: Contacts, readonly situation: Situation) {
    const { rows, free, response, touches } = contacts;
    const terms = rows.map((row) => row.slopes.reduce((total, e, i) => total + Math.abs(e * free[i]), 0) + Math.abs(row.carry));
    this.openingScale = touches.map(({ row }) => (row < 0 ? 1 : terms[row]));
    this.normalScale = touches.map(({ row, load }) => (row < 0 ? Math.abs(load) : terms[row] / response[row][row]));
    this.slipScale = touches.map(({ frictions }, k) => frictions.map(({ rows: own, kinetic }) => {
      const most = Math.max(...own.flatMap((r) => own.map((c) => Math.abs(response[r][c]))));
      return Math.max(...own.map((r) => terms[r])) + kinetic * this.normalScale[k] * most;
    }));
  }

  /** Whether nothing contradicts an answer: pulling, too much friction, a slip against its friction, penetration. */
  possible({ mode, normal, force, rates, ways, accelerations }: Answer): boolean {
    if (!accelerations.every(Number.isFinite)) return false;
    return this.contacts.touches.every((touch, k) => {
      if (!this.situation.touching[k]) return true;
      const how = mode[k];
      if (how === null) return !(touch.row >= 0 && rates[touch.row] < -SLACK * this.openingScale[k]);
      if (this.situation.lifts[k] && normal[k] < -SLACK * this.normalScale[k]) return false;
      return touch.frictions.every((friction, f) => {
        if (how[f] === "stick") {
          const most = friction.limit * Math.max(normal[k], 0) * (1 + SLACK) + SLACK * this.normalScale[k];
          return friction.limit === Infinity || !(Math.hypot(...friction.rows.map((r) => force[r])) > most);
        }
        if (!this.situation.still(k, f)) return true;
        return !(dot(friction.rows.map((r) => rates[r]), ways[k][f]!) < -SLACK * this.slipScale[k][f]);
      });
    });
  }

  /** Whether a slip would begin that static friction above the kinetic one holds: then both would be consistent. */
  held(mode: Mode, able: Answer[]): boolean {
    return this.contacts.touches.some(({ frictions }, k) => frictions.some(({ limit, kinetic }, f) => {
      if (!mode[k] || mode[k]![f] === "stick" || !this.situation.still(k, f) || !(limit > kinetic)) return false;
      const sticking = mode.map((acting, i) => (i === k ? acting!.map((how, j) => (j === f ? "stick" : how)) : acting));
      return able.some((other) => JSON.stringify(other.mode) === JSON.stringify(sticking));
    }));
  }

  answers(): Answer[] {
    return combinations(this.contacts, this.situation).flatMap((mode) => this.beginning(mode).map((ways) => solved(this.contacts, mode, ways)));
  }

  /** The directions in which slips can begin, with those that are known. */
  private beginning(mode: Mode): Ways[] {
    const { touches, rows } = this.contacts;
    const planes: [number, number][] = [];
    const ways: Ways = touches.map(({ frictions }, k) => frictions.map(({ rows: own }, f) => {
      const how = mode[k]?.[f];
      if (!this.situation.still(k, f)) {
        const values = own.map((r) => rows[r].value);
        return values.map((e) => e / Math.hypot(...values));
      }
      if (how === "fixed") planes.push([k, f]);
      return how === "+" ? [1] : how === "-" ? [-1] : null;
    }));
    if (!planes.length) return [ways];
    const put = (all: Ways, [k, f]: [number, number], way: number[]) => all.map((row, i) => (i === k ? row.map((e, j) => (j === f ? way : e)) : row));
    const held = mode.map((acting, k) => acting && acting.map((how, f) => (planes.some(([a, b]) => a === k && b === f) ? "stick" : how)));
    const sticking = solved(this.contacts, held, ways);
    let start = ways;
    for (const place of planes) {
      const force = touches[place[0]].frictions[place[1]].rows.map((r) => sticking.force[r]);
      const size = Math.hypot(...force);
      start = put(start, place, size > 0 ? force.map((e) => -e / size) : [1, 0]);
    }
    const limit = solved(this.contacts, mode, start);
    const small = planes.every(([k, f]) => Math.hypot(...touches[k].frictions[f].rows.map((r) => limit.rates[r])) <= SLACK * this.slipScale[k][f]);
    if (small) return [start]; // exactly at the limit: against the force that held
    if (planes.length === 1) return this.radial(mode, start, planes[0]).map((way) => put(start, planes[0], way));
    for (let turn = 0; turn < 60; turn++) {
      let change = 0;
      for (const place of planes) {
        const old = start[place[0]][place[1]]!;
        const found = this.radial(mode, start, place);
        if (!found.length) continue;
        const nearest = found.reduce((best, way) => (dot(way, old) > dot(best, old) ? way : best));
        change = Math.max(change, Math.hypot(nearest[0] - old[0], nearest[1] - old[1]));
        start = put(start, place, nearest);
      }
      if (change < 1e-13) break;
    }
    return [start];
  }

  /** Rates of gap and slips of a contact without its own forces, and their response to these, the others having answered. */
  private plane(mode: Mode, ways: Ways, k: number, f: number): { base: number[]; answer: number[][] } {
    const { touches, rows, drift, response } = this.contacts;
    const touch = touches[k];
    const others: Mode = mode.map((acting, i) => (i === k ? null : acting));
    const { given, held, unknown } = acting(this.contacts, others, ways);
    const pressed = touch.row >= 0;
    const own = [...(pressed ? [touch.row] : []), ...touch.frictions[f].rows];
    const pushes = own.map((r) => {
      const push = new Float64Array(rows.length);
      push[r] = 1;
      return push;
    });
    touch.frictions.forEach((friction, g) => {
      if (g === f) return;
      if (mode[k]![g] === "stick") {
        for (const r of friction.rows) {
          const one = new Float64Array(rows.length);
          one[r] = 1;
          unknown.push(one);
          held.push(r);
        }
      } else friction.rows.forEach((r, i) => ((pressed ? pushes[0] : given)[r] -= (pressed ? 1 : touch.load) * friction.kinetic * ways[k][g]![i]));
    });
    const rates = (forces: Float64Array, start: (r: number) => number): number[] => {
      const all = rows.map((_, r) => start(r) + dot(response[r], forces));
      if (held.length) {
        const back = least(held.map((r) => unknown.map((one) => dot(response[r], one))), held.map((r) => -all[r]));
        back.forEach((p, j) => all.forEach((_, r) => (all[r] += p * dot(response[r], unknown[j]))));
      }
      return own.map((r) => all[r]);
    };
    const base = rates(given, (r) => drift[r]);
    const columns = pushes.map((push) => rates(push, () => 0));
    const answer = own.map((_, i) => columns.map((column) => column[i]));
    if (pressed) return { base, answer };
    return { base: [-touch.load, ...base], answer: [[1, 0, 0], ...answer.map((row) => [0, ...row])] };
  }

  /** Directions along which a slip in the plane, sliding along them, is accelerated outwards: nonholo.integrate.contacts.slip_directions. */
  private radial(mode: Mode, ways: Ways, [k, f]: [number, number]): number[][] {
    const { base: [gap, first, second], answer: [[g11, g21, g22], [q1, k11, k12], [q2, k21, k22]] } = this.plane(mode, ways, k, f);
    const mu = this.contacts.touches[k].frictions[f].kinetic;
    const squares = mu * (gap * k21 - g21 * second);
    const mixed = mu * (gap * (k22 - k11) - g22 * second + g21 * first);
    const others = mu * (g22 * first - gap * k12);
    const [cosine, sine] = [g11 * second - gap * q2, gap * q1 - g11 * first];
    const turn = (angle: number): number => {
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      return squares * c * c + mixed * c * s + others * s * s + cosine * c + sine * s;
    };
    const found: number[][] = [];
    const at = (j: number) => -3 + (2 * Math.PI * j) / ANGLES;
    for (let j = 0; j < ANGLES; j++) {
      let [low, high] = [at(j), at(j + 1)];
      const before = turn(low);
      if (before !== 0 && before * turn(high) >= 0) continue;
      for (let again = 0; again < 60 && before !== 0; again++) {
        const middle = (low + high) / 2;
        if (turn(middle) * before > 0) low = middle;
        else high = middle;
      }
      const way = [Math.cos(low), Math.sin(low)];
      const normal = -gap / (g11 - mu * (g21 * way[0] + g22 * way[1]));
      const rate = [first + normal * (q1 - mu * (k11 * way[0] + k12 * way[1])), second + normal * (q2 - mu * (k21 * way[0] + k22 * way[1]))];
      if (dot(rate, way) > 0) found.push(way);
    }
    return found;
  }
}

/** The mode that goes on where all that are possible accelerate alike: most closed, then the one that changes least; else null. */
export function chosen(contacts: Contacts, situation: Situation, before: Mode): Answer | null {
  const decision = new Decision(contacts, situation);
  const tried = decision.answers();
  const able = tried.filter((answer) => decision.possible(answer));
  const found = able.filter(({ mode }) => !decision.held(mode, able));
  const same = (a: Acting, b: Acting) => (a === null || b === null ? a === b : a.every((e, i) => e === b[i]));
  const changes = ({ mode }: Answer) => mode.filter((e) => e === null).length * 1000 + mode.filter((e, k) => !same(e, before[k])).length;
  const order = found.map((answer) => [changes(answer), answer] as const).sort(([a], [b]) => a - b).map(([, answer]) => answer);
  const size = Math.max(...tried.flatMap(({ accelerations }) => Array.from(accelerations, Math.abs)).filter(Number.isFinite), 0);
  const apart = (a: Answer, b: Answer) => a.accelerations.some((e, i) => Math.abs(e - b.accelerations[i]) > 1e-7 * size);
  return order.length && order.every((answer) => !apart(answer, order[0])) ? order[0] : null;
}

/** Impulses along rows that stop their velocities: by how much the speeds change, and the energy that each row takes. */
export function stopped({ rows, columns, response }: Contacts, held: number[], speeds: number): { change: Float64Array; lost: number[] } {
  const change = new Float64Array(speeds);
  const pushes = held.length ? least(held.map((r) => held.map((c) => response[r][c])), held.map((r) => -rows[r].value)) : [];
  pushes.forEach((p, j) => change.forEach((_, i) => (change[i] += p * columns[held[j]][i])));
  return { change, lost: pushes.map((p, j) => (-p * rows[held[j]].value) / 2) };
}
