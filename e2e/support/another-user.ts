import { spawn } from 'node:child_process'

/** Why no other user's program can be run here. */
export const otherUserMissing: string | null =
  process.platform === 'linux' && process.getuid?.() === 0
    ? null
    : 'only root on Linux can run a program as somebody else'

/** Runs a line of shell as nobody, who owns nothing here. @returns what it printed, on both outputs */
export function asNobody(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      'setpriv',
      ['--reuid=65534', '--regid=65534', '--clear-groups', '--', 'bash', '-c', `exec 2>&1; ${line}`],
      { cwd: '/', env: { PATH: process.env.PATH ?? '' } },
    )
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', () => resolve(printed))
  })
}

/** One HTTP/1.1 call by bash itself: nothing has to be readable for nobody. @returns the whole answer */
export function postAsNobody(
  { port }: { port: number },
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  /** it does not wait for an answer */
  leaves = false,
): Promise<string> {
  const text = JSON.stringify(body)
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return tellAsNobody(port, `${lines.join('\r\n')}\r\n\r\n${text}`, leaves)
}

/** @returns what is said until the connection ends */
export function tellAsNobody(port: number, text: string, leaves = false): Promise<string> {
  const bytes = Buffer.from(text).toString('base64')
  return asNobody(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo ${bytes} | base64 -d >&3${leaves ? '' : ' && cat <&3'}`)
}
