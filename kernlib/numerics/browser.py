"""What Python lacks in a browser: threads, and with them processes."""

import sys

__all__ = ["HAS_THREADS"]

HAS_THREADS = sys.platform != "emscripten"
