#!/usr/bin/python3
"""A stand-in for a Linux watchdog device: a FIFO.

Opening it arms it and counts as feeding, as does each byte. When nobody feeds it for TIMEOUT seconds it "resets the machine": it runs COMMAND. Closing it disarms it
only if the last byte was a V (magic close). What happened is written to PATH.log.

Usage: watchdog-device.py PATH TIMEOUT COMMAND...
"""
import os
import subprocess
import sys
import time

path, timeout, command = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
os.mkfifo(path)
device = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
log = open(path + ".log", "a", buffering=1)
log.write("ready\n")
armed, opened, last, deadline = False, False, b"", 0.0
while True:
    try:
        data = os.read(device, 4096)
        is_open = data != b""
    except BlockingIOError:
        data, is_open = b"", True
    now = time.monotonic()
    if is_open and not opened:
        log.write("opened\n")
        armed, last, deadline = True, b"", now + timeout
    if data:
        last, deadline = data[-1:], now + timeout
    if opened and not is_open:
        armed = armed and last != b"V"
        log.write("closed, armed\n" if armed else "closed\n")
    opened = is_open
    if armed and now >= deadline:
        log.write("fired\n")
        subprocess.run(command, stdin=subprocess.DEVNULL)
        log.write("reset\n")
        sys.exit(0)
    time.sleep(0.02)
