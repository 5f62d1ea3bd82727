"""The students' edition as assignments that nbgrader hands out and marks."""
