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
  const gaussian = pairwise((x, y, gamma) => {
    let squares = 0;
    for (let i = 0; i < x.length; i++) squares += (x[i] - y[i]) * (x[i] - y[i]);
    return Math.exp(-gamma * squares);
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

  const SWEEPS = 60; // Jacobi's method needs about ten

  function eigh(symmetric) {
    const n = symmetric.length;
    const A = symmetric.map((row) => Float64Array.from(row));
    const V = A.map((_, i) => new Float64Array(n).fill(1, i, i + 1)); // its rows are the eigenvectors
    const size = Math.sqrt(A.reduce((sum, row) => sum + dot(row, row), 0));
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      let off = 0;
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) off += A[i][j] ** 2;
      if (Math.sqrt(off) <= 1e-16 * size) break;
      for (let q = 1; q < n; q++) for (let p = 0; p < q; p++) rotate(A, V, p, q);
    }
    const order = A.map((row, i) => i).sort((i, j) => A[i][i] - A[j][j]);
    return { values: order.map((i) => A[i][i]), vectors: transpose(order.map((i) => V[i])) };
  }

  // Make A[p][q] zero by a rotation of rows and columns p and q, and rotate the rows of V with them.
  function rotate(A, V, p, q) {
    const entry = A[p][q];
    if (entry === 0) return;
    const slope = (A[q][q] - A[p][p]) / (2 * entry);
    const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.sqrt(slope * slope + 1));
    const cosine = 1 / Math.sqrt(tangent * tangent + 1);
    const above = A[p][p] - tangent * entry;
    const below = A[q][q] + tangent * entry;
    rotateRows(A[p], A[q], cosine, tangent * cosine);
    rotateRows(V[p], V[q], cosine, tangent * cosine);
    A.forEach((row, i) => {
      row[p] = A[p][i];
      row[q] = A[q][i];
    });
    [A[p][p], A[q][q], A[p][q], A[q][p]] = [above, below, 0, 0];
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
