// Preloaded into a process that runs elsewhere than on Windows: SIGUSR2 does what Ctrl-Break does there. Not `once`:
// signal-exit, which proper-lockfile brings, ends a process by a signal that nobody else listens to.
process.on("SIGUSR2", () => process.emit("SIGBREAK"));
