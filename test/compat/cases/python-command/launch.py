"""Becomes the recording server, so that the case shows which interpreter was started and with what."""

import os
import sys

SERVER = os.path.join("..", "..", "recording-server.ts")
os.execvp("node", ["node", SERVER, *sys.argv[1:]])
