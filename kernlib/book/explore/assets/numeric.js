// Linear algebra for explorers that compute in the page, as kernlib.plain has it. A matrix is an array of rows, and a
// point is a row. Sizes are those of a picture: tens of points, a few thousand places.

const numeric = (() => {
  // ---- vectors and matrices

  const dot = (u, v) => {
    let sum = 0;
    for (let i = 0; i < u.length; i++) sum += u[i] * v[i];
    return sum;
  };
  const matrix = (rows, columns, entry) =>
    Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => entry(i, j)));
  const transpose = (A) => matrix(A[0].length, A.length, (i, j) => A[j][i]);
  const times = (A, v) => A.map((row) => dot(row, v));
  const multiply = (A, B) => {
    const columns = transpose(B);
    return A.map((row) => columns.map((column) => dot(row, column)));
  };
  const addToDiagonal = (A, shift) => A.map((row, i) => row.map((entry, j) => (i === j ? entry + shift : entry)));

  // ---- Gram matrices: κ of each row of X and each row of Y

  const pairwise = (kernel) => (X, Y, first, second) => X.map((x) => Y.map((y) => kernel(x, y, first, second)));
  // The one that fields call for thousands of places: as loops, which take a third of the time.
  const gaussian = (X, Y, gamma) =>
    X.map((x) => {
      const row = new Array(Y.length);
      for (let j = 0; j < Y.length; j++) {
        let squares = 0;
        for (let i = 0; i < x.length; i++) squares += (x[i] - Y[j][i]) * (x[i] - Y[j][i]);
        row[j] = Math.exp(-gamma * squares);
      }
      return row;
    });
  const laplace = pairwise((x, y, gamma) => {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += Math.abs(x[i] - y[i]);
    return Math.exp(-gamma * sum);
  });
  const linear = pairwise(dot);
  const polynomial = pairwise((x, y, degree, constant) => (dot(x, y) + constant) ** degree);

  // ---- positive definite systems

  // The lower triangle L of A = LLᵀ; null if a pivot is not positive, because A is not positive definite in rounding.
  function cholesky(A) {
    const L = [];
    for (let i = 0; i < A.length; i++) {
      const row = new Array(A.length).fill(0);
      for (let j = 0; j <= i; j++) {
        let left = A[i][j];
        const other = j < i ? L[j] : row;
        for (let k = 0; k < j; k++) left -= row[k] * other[k];
        if (j < i) row[j] = left / other[j];
        else if (!(left > 0)) return null;
        else row[i] = Math.sqrt(left);
      }
      L.push(row);
    }
    return L;
  }

  // x of Lx = b.
  function solveLower(L, b) {
    const x = [];
    for (let i = 0; i < b.length; i++) {
      let left = b[i];
      for (let k = 0; k < i; k++) left -= L[i][k] * x[k];
      x.push(left / L[i][i]);
    }
    return x;
  }

  // x of Lᵀx = b.
  function solveUpper(L, b) {
    const x = new Array(b.length).fill(0);
    for (let i = b.length - 1; i >= 0; i--) {
      let left = b[i];
      for (let k = i + 1; k < b.length; k++) left -= L[k][i] * x[k];
      x[i] = left / L[i][i];
    }
    return x;
  }

  // x of Ax = b for a positive definite A; null if rounding makes it indefinite.
  function solve(A, b) {
    const L = cholesky(A);
    return L && solveUpper(L, solveLower(L, b));
  }

  // α of (G + nλI)α = y.
  const dualRidge = (G, y, lam) => solve(addToDiagonal(G, y.length * lam), y);

  // Nyström's factor F, G ≈ FFᵀ, from the columns of some pivots, one after the other; `left` is the diagonal of
  // G − FFᵀ. A pivot of which no more than `least` is left adds nothing and is skipped.
  function partialCholesky(column, diagonal, pivots, least) {
    const columns = [];
    const left = [...diagonal];
    for (const pivot of pivots) {
      const rest = left[pivot];
      if (rest <= least) continue;
      const found = column(pivot);
      for (const earlier of columns) {
        const share = earlier[pivot];
        for (let i = 0; i < found.length; i++) found[i] -= share * earlier[i];
      }
      const root = Math.sqrt(rest);
      for (let i = 0; i < found.length; i++) {
        found[i] /= root;
        left[i] = Math.max(0, left[i] - found[i] ** 2);
      }
      columns.push(found);
    }
    return { columns, left };
  }

  // ---- eigenvalues of a symmetric matrix, ascending, and the unit eigenvectors as the columns of `vectors`

  const STEPS = 60; // for one eigenvalue; two are usual

  function eigh(symmetric) {
    const A = symmetric.map((row) => Float64Array.from(row));
    const { diagonal, beside, V } = tridiagonalize(A);
    diagonalize(diagonal, beside, V);
    const order = A.map((row, i) => i).sort((i, j) => diagonal[i] - diagonal[j]);
    return { values: order.map((i) => diagonal[i]), vectors: transpose(order.map((i) => V[i])) };
  }

  // The tridiagonal VAVᵀ, by Householder's reflections H = I − vvᵀ/half; A is overwritten.
  function tridiagonalize(A) {
    const n = A.length;
    const beside = new Float64Array(n); // T[k][k + 1]; the last entry is 0
    const V = A.map((_, i) => new Float64Array(n).fill(1, i, i + 1));
    const nothing = 1e-30 * Math.sqrt(A.reduce((sum, row) => sum + dot(row, row), 0)); // its square would underflow
    const reflections = [];
    for (let k = 0; k + 1 < n; k++) {
      const v = A[k].slice().fill(0, 0, k + 1); // v goes to a multiple of the first unit vector
      const size = Math.sqrt(dot(v, v));
      if (size <= nothing) continue;
      beside[k] = v[k + 1] > 0 ? -size : size;
      v[k + 1] -= beside[k];
      const half = -beside[k] * v[k + 1];
      const p = Float64Array.from(A, (row, i) => (i > k ? dot(row, v) / half : 0));
      const share = dot(p, v) / (2 * half);
      for (let i = k + 1; i < n; i++) p[i] -= share * v[i];
      for (let i = k + 1; i < n; i++) {
        const row = A[i];
        for (let j = k + 1; j < n; j++) row[j] -= v[i] * p[j] + p[i] * v[j];
      }
      reflections.push({ k, v, half });
    }
    for (const { k, v, half } of reflections.reverse())
      for (const row of V.slice(k + 1)) {
        const share = dot(v, row) / half;
        for (let j = k + 1; j < n; j++) row[j] -= share * v[j];
      }
    return { diagonal: Float64Array.from(A, (row, i) => row[i]), beside, V };
  }

  // Make a tridiagonal matrix diagonal by QL steps, and rotate the rows of V with it.
  function diagonalize(d, e, V) {
    const least = Number.EPSILON * d.reduce((most, entry, i) => Math.max(most, Math.abs(entry) + Math.abs(e[i])), 0);
    for (let first = 0; first < d.length; first++)
      for (let step = 0; step < STEPS; step++) {
        let last = first;
        while (Math.abs(e[last]) > least) last++; // the very last entry is 0
        if (last === first) break;
        stepOfQL(d, e, V, first, last);
      }
  }

  // One implicit step on the block from first to last, with a shift near its first eigenvalue.
  function stepOfQL(d, e, V, first, last) {
    const slope = (d[first + 1] - d[first]) / (2 * e[first]);
    let g = d[last] - d[first] + e[first] / (slope + (slope < 0 ? -1 : 1) * Math.sqrt(slope * slope + 1));
    let [cosine, sine, shift] = [1, 1, 0];
    for (let i = last - 1; i >= first; i--) {
      const [f, b] = [sine * e[i], cosine * e[i]];
      const r = Math.sqrt(f * f + g * g);
      e[i + 1] = r;
      if (r === 0) {
        d[i + 1] -= shift;
        e[last] = 0;
        return;
      }
      [cosine, sine] = [g / r, f / r];
      const above = d[i + 1] - shift;
      const t = (d[i] - above) * sine + 2 * cosine * b;
      shift = sine * t;
      d[i + 1] = above + shift;
      g = cosine * t - b;
      rotateRows(V[i], V[i + 1], cosine, sine);
    }
    d[first] -= shift;
    e[first] = g;
    e[last] = 0;
  }

  function rotateRows(u, v, cosine, sine) {
    for (let i = 0; i < u.length; i++) {
      const above = u[i];
      const below = v[i];
      u[i] = cosine * above - sine * below;
      v[i] = sine * above + cosine * below;
    }
  }

  // ---- random features; the columns of `frequencies` are the frequencies ω

  const phaseFeatures = (X, frequencies, phases) =>
    multiply(X, frequencies).map((row) =>
      row.map((angle, j) => Math.sqrt(2 / phases.length) * Math.cos(angle + phases[j])),
    );
  const pairFeatures = (X, frequencies) =>
    multiply(X, frequencies).map((angles) => {
      const scale = Math.sqrt(1 / angles.length);
      return [...angles.map((angle) => scale * Math.cos(angle)), ...angles.map((angle) => scale * Math.sin(angle))];
    });

  // ---- places of a field: the centers of its cells, the rows from low to high

  const places = ({ x, y, columns, rows }) => {
    const center = ([low, high], i, n) => low + ((i + 0.5) / n) * (high - low);
    return Array.from({ length: rows * columns }, (_, i) => [
      center(x, i % columns, columns),
      center(y, Math.floor(i / columns), rows),
    ]);
  };
  const inRows = (values, columns) => {
    const rows = [];
    for (let i = 0; i < values.length; i += columns) rows.push(values.slice(i, i + columns));
    return rows;
  };

  return {
    ...{ dot, matrix, transpose, times, multiply, addToDiagonal, gaussian, laplace, linear, polynomial },
    ...{ cholesky, solveLower, solveUpper, solve, dualRidge, partialCholesky, eigh },
    ...{ phaseFeatures, pairFeatures, places, inRows, show },
  };
})();
