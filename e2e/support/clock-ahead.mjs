// Loaded before the engine's own code (`--import`): its computer was switched off, or asleep, for so many milliseconds.
const ahead = Number(process.env['TEST_CLOCK_AHEAD_MS'] ?? 0)
const now = Date.now
Date.now = () => now() + ahead
