"""Make and try nbgrader assignments from the students' edition."""
