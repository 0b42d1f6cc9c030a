"""A Debian in a folder, for the checks of what is installed: its own mounts and its own loopback, so that nothing of this
machine is touched. Needs root, debootstrap and iproute2."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
PATIENCE_S = 60


def say(text):
    print(f"==> {text}", flush=True)


def check(prepare, within):
    """Prepares a Debian, the program and whatever `prepare` adds in a folder; then does `within` in namespaces of its own:
    processes and mounts that end with it, and no network but a loopback."""
    if folder := os.environ.get("RADAR_BOX"):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return within(Box(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        make_program(Path(folder))
        make_root(Path(folder))
        prepare(Path(folder))
        alone = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "private"]
        ended = subprocess.run([*alone, sys.executable, *sys.argv], env={**os.environ, "RADAR_BOX": folder})
    sys.exit(ended.returncode)


def make_program(folder):
    """The program as the tests build it, without what only debuggers read."""
    say("build the program")
    subprocess.run(["cargo", "test", "--workspace", "--locked", "--no-run", "--test", "it"], cwd=TOP, check=True)
    built = Path(os.environ.get("CARGO_TARGET_DIR", TOP / "target")) / "debug/radar"
    subprocess.run(["strip", "--strip-debug", "-o", folder / "radar", built], check=True)


def make_root(folder):
    """An empty Debian; DEBIAN_ROOT names one that is copied in place of asking an archive."""
    root = folder / "root"
    if made := os.environ.get("DEBIAN_ROOT"):
        subprocess.run(["cp", "--archive", made, root], check=True)
        return
    with open("/etc/os-release") as lines:
        about = dict(line.strip().split("=", 1) for line in lines if "=" in line)
    suite = about["VERSION_CODENAME"].strip('"')
    say(f"make a {suite}, which has the C library that the program was built with")
    subprocess.run(["debootstrap", "--variant=minbase", suite, root], check=True, stdout=subprocess.DEVNULL)


class Box:
    """The Debian, from within the namespaces, in a folder with the program beside it."""

    def __init__(self, folder):
        self.folder, self.root = folder, folder / "root"

    def path(self, inside):
        """Where something of the Debian is for this machine."""
        return self.root / str(inside).lstrip("/")

    def take(self, file):
        """Copies a file of this machine into it; where it is there."""
        shutil.copy(file, self.path("/tmp"))
        return f"/tmp/{Path(file).name}"

    def run(self, *command, user=None, **more):
        """Runs a command in it; fails when it does."""
        return subprocess.run(self._within(command, user, more.pop("env", {})), check=True, text=True, **more)

    def start(self, command, user, writable, env):
        """Starts a service: everything but `writable` and /tmp is read-only, and there is no privilege to be had."""
        mounts = ["set -e", f"mount --bind {self.root} {self.root}"]
        mounts += [f"mount --bind {self.path(folder)} {self.path(folder)}" for folder in writable]
        mounts += [f"mount -t tmpfs tmpfs {self.path('tmp')}", f"mount -t proc proc {self.path('proc')}"]
        mounts += [f"mount -o remount,bind,ro {self.root}", "umask 0077", 'exec "$@"']
        command = self._within(command, user, env)
        prefix = ["unshare", "--mount", "--propagation", "private", "bash", "-c", "\n".join(mounts), "bash"]
        self.log = open(self.folder / "log", "ab")
        return subprocess.Popen([*prefix, *command], stdout=self.log, stderr=self.log)

    def until_healthy(self, service, command, user, env):
        """Waits until `command` ends with 0; how long that took, in seconds."""
        began = time.monotonic()
        while subprocess.run(self._within(command, user, env), capture_output=True).returncode != 0:
            if service.poll() is not None or time.monotonic() - began > PATIENCE_S:
                sys.exit("the service is not healthy:\n" + (self.folder / "log").read_text())
            time.sleep(0.1)
        return time.monotonic() - began

    def stop(self, service):
        """Ends a service in order."""
        service.terminate()
        assert service.wait(PATIENCE_S) == 0, "the service did not end in order"

    def _within(self, command, user, env):
        plain = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"]
        plain += [f"{name}={value}" for name, value in env.items()]
        drop = [f"--reuid={user}", f"--regid={user}", "--clear-groups", "--bounding-set=-all", "--no-new-privs"]
        return ["chroot", self.root, *(["setpriv", *drop] if user else []), "env", "-i", *plain, *command]
