/** Where the bus of this person is; systemd puts it there where no variable says. */
export const sessionBusAddress = (
  env: Readonly<Record<string, string | undefined>>,
  uid: number = process.getuid?.() ?? 0,
): string => env.DBUS_SESSION_BUS_ADDRESS || `unix:path=/run/user/${uid}/bus`

/** `unix:path=/run/user/1000/bus` or `unix:abstract=/tmp/x,guid=…`, the first that can be used of a list. */
export function socketPath(address: string): string | null {
  for (const one of address.split(';')) {
    const [transport, rest = ''] = one.split(/:(.*)/s)
    if (transport !== 'unix') continue
    const keys = new Map(
      rest.split(',').map((pair) => {
        const [key = '', value = ''] = pair.split(/=(.*)/s)
        return [key, decodeURIComponent(value)]
      }),
    )
    const path = keys.get('path')
    if (path) return path
    const abstract = keys.get('abstract')
    if (abstract) return `\0${abstract}`
  }
  return null
}
