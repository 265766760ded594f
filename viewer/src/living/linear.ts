// Small dense linear algebra, row by row.

/** A pivot smaller than this part of its column says that the matrix is singular. */
const LEAST = 1e-14;

/** Gauss's elimination with exchange of rows, in place; the solution stands in `right`. The least pivot ratio, 0 if singular. */
export function solve(matrix: Float64Array, right: Float64Array, size: number): number {
  return solveAll(matrix, [right], size);
}

/** The same for several right sides. */
export function solveAll(matrix: Float64Array, rights: Float64Array[], size: number): number {
  let least = 1;
  for (let k = 0; k < size; k++) {
    let best = k;
    let most = 0;
    for (let i = k; i < size; i++) {
      const entry = Math.abs(matrix[i * size + k]);
      if (entry > most || entry !== entry) {
        most = entry;
        best = i;
      }
    }
    if (most !== most) return NaN;
    let scale = 0;
    for (let j = k; j < size; j++) scale = Math.max(scale, Math.abs(matrix[best * size + j]));
    if (!(most > LEAST * scale) || most === 0) return 0;
    least = Math.min(least, most / scale);
    if (best !== k) {
      for (let j = k; j < size; j++) {
        const kept = matrix[k * size + j];
        matrix[k * size + j] = matrix[best * size + j];
        matrix[best * size + j] = kept;
      }
      for (const right of rights) {
        const kept = right[k];
        right[k] = right[best];
        right[best] = kept;
      }
    }
    const inverse = 1 / matrix[k * size + k];
    for (let i = k + 1; i < size; i++) {
      const factor = matrix[i * size + k] * inverse;
      if (factor === 0) continue;
      for (let j = k + 1; j < size; j++) matrix[i * size + j] -= factor * matrix[k * size + j];
      for (const right of rights) right[i] -= factor * right[k];
    }
  }
  for (const right of rights) {
    for (let i = size - 1; i >= 0; i--) {
      let total = right[i];
      for (let j = i + 1; j < size; j++) total -= matrix[i * size + j] * right[j];
      right[i] = total / matrix[i * size + i];
    }
  }
  return least;
}

/** An orthonormal basis that grows by rows; what follows from the rows before adds nothing. */
export class Basis {
  readonly rows: number[][] = [];

  constructor(private readonly tolerance = 1e-9) {}

  outside(row: ArrayLike<number>): number[] {
    let rest = Array.from(row);
    for (let twice = 0; twice < 2; twice++) {
      for (const base of this.rows) {
        const part = dot(base, rest);
        rest = rest.map((e, i) => e - part * base[i]);
      }
    }
    return rest;
  }

  add(row: ArrayLike<number>): boolean {
    const rest = this.outside(row);
    const length = Math.sqrt(dot(rest, rest));
    if (!(length > this.tolerance * Math.max(1, Math.sqrt(dot(row, row))))) return false;
    this.rows.push(rest.map((e) => e / length));
    return true;
  }
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i] * b[i];
  return total;
}

/** Whether a symmetric matrix has a negative eigenvalue: pivots of the diagonal, the largest first. */
export function indefinite(matrix: number[][]): boolean {
  const rest = matrix.map((row) => row.slice());
  const left = new Set(rest.keys());
  const least = 1e-12 * Math.max(...rest.flat().map(Math.abs), 0);
  while (left.size) {
    const k = [...left].reduce((best, i) => (Math.abs(rest[i][i]) > Math.abs(rest[best][best]) ? i : best));
    if (!(Math.abs(rest[k][k]) > least)) return [...left].some((i) => [...left].some((j) => Math.abs(rest[i][j]) > least));
    if (rest[k][k] < 0) return true;
    left.delete(k);
    for (const i of left) for (const j of left) rest[i][j] -= (rest[i][k] * rest[k][j]) / rest[k][k];
  }
  return false;
}

/** The shortest x with `rows · x = sides` in the sense of least squares: a complete orthogonal decomposition. */
export function leastSquares(rows: number[][], sides: number[], width: number): number[] {
  const scale = Math.max(...rows.map((row) => Math.max(...row.map(Math.abs))), 0);
  // rows = C · B with B an orthonormal basis of the row space; then x = Bᵀ y, C y = sides by its normal equations' QR
  const basis = new Basis(1e-11);
  for (const row of rows) basis.add(row.map((e) => e / (scale || 1)));
  const rank = basis.rows.length;
  if (!rank) return new Array<number>(width).fill(0);
  const columns = basis.rows.map((base) => rows.map((row) => dot(row, base)));
  const kept: number[][] = [];
  const upper: number[][] = [];
  columns.forEach((column, k) => {
    let rest = column.slice();
    upper.push(new Array<number>(rank).fill(0));
    for (let twice = 0; twice < 2; twice++) {
      kept.forEach((q, j) => {
        const part = dot(q, rest);
        upper[j][k] += part;
        rest = rest.map((e, i) => e - part * q[i]);
      });
    }
    const length = Math.sqrt(dot(rest, rest)) || 1;
    upper[k][k] = length;
    kept.push(rest.map((e) => e / length));
  });
  const inner = kept.map((q) => dot(q, sides));
  for (let i = rank - 1; i >= 0; i--) {
    for (let j = i + 1; j < rank; j++) inner[i] -= upper[i][j] * inner[j];
    inner[i] /= upper[i][i];
  }
  return Array.from({ length: width }, (_, i) => basis.rows.reduce((total, base, k) => total + base[i] * inner[k], 0));
}
