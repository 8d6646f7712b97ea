/** `ROUTECODEX_CLOCK_NTP=off`: this process asks no time server, whatever its config says. */
export const switchedOff = (env: Readonly<Record<string, string | undefined>>): boolean =>
  /^(off|0|false)$/i.test((env.ROUTECODEX_CLOCK_NTP ?? '').trim())
