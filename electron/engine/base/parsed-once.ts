/**
 * Says to zod that something is parsed once or now and then: it compiles a function for each shape of object at the
 * first parse, which pays for what is parsed thousands of times, and for the config's takes 9 ms of a start.
 */
export const parsedOnce = { jitless: true } as const
