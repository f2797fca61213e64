// Preloaded into a process on systems other than Windows, so that SIGUSR2 has the effect of Ctrl-Break. It uses `on` instead of `once`,
// because signal-exit, a dependency of proper-lockfile, ends a process if the signal has no other listener.
process.on("SIGUSR2", () => process.emit("SIGBREAK"));
