// Computes both pictures of kernlib/book/explorers/rank_truncation.py in the page.

let known = null; // its left singular vectors as rows, those of the largest singular values first

function photograph({ k }, data, numeric) {
  const A = data.photo.map((row) => row.map((gray) => gray / data.white));
  known ||= numeric.transpose(numeric.eigh(numeric.multiply(A, numeric.transpose(A))).vectors).reverse();
  const U = known.slice(0, k);
  return numeric.multiply(numeric.transpose(U), numeric.multiply(U, A));
}

function truncated({ k }, data, numeric) {
  const Z = data.factor.map((row) => row.slice(0, k));
  return numeric.multiply(Z, numeric.transpose(Z));
}
