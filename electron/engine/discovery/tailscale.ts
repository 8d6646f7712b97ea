/**
 * What this machine is in its Tailscale network, and the certificate that Tailscale gets for it. Seen in tailscale's
 * sources (2026-08): `status --json` has Self.DNSName with a dot at its end, and in CertDomains the names it gets
 * certificates for; `cert` with `-` for both files prints the chain, then the key. It answers from what it keeps, and
 * renews that by itself once two thirds of its time are over, so asking now and then is enough.
 */
import { execFile } from 'node:child_process'
import { z } from 'zod'
import { parseJson } from '../../../shared/parse-json.ts'
import { OnwardError } from '../base/errors.ts'
import type { Certificate } from '../base/network/self-signed.ts'

export interface Tailscale {
  /** @throws OnwardError `tailscale-missing` | `tailscale-down` | `tailscale-no-certificates` */
  self(): Promise<{ name: string; address: string }>
  /** @throws OnwardError `tailscale-missing` | `tailscale-refused`, with its own words */
  certificate(name: string): Promise<Certificate>
}

export interface TailscaleDeps {
  findProgram(name: string): Promise<string | null>
  run?: RunTailscale
}

export type RunTailscale = (
  program: string,
  args: readonly string[],
  timeoutMs: number,
) => Promise<{ ok: boolean; stdout: string; stderr: string }>

/** what the App Store's has instead of a command */
const onMac = '/Applications/Tailscale.app/Contents/MacOS/Tailscale'
const statusMs = 5_000
/** the first one is made while it waits, by way of the DNS */
const certificateMs = 120_000

const status = z.object({
  BackendState: z.string(),
  CertDomains: z.array(z.string()).nullish(),
  Self: z.object({ DNSName: z.string(), TailscaleIPs: z.array(z.string()).nullish() }).nullish(),
})

export function createTailscale({ findProgram, run = runTailscale }: TailscaleDeps): Tailscale {
  const call = async (args: readonly string[], timeoutMs: number) => {
    const program = (await findProgram('tailscale')) ?? (await findProgram(onMac))
    if (program === null) throw refusal('tailscale-missing', 'There is no `tailscale` on this machine.')
    return run(program, args, timeoutMs)
  }
  return {
    async self() {
      const { ok, stdout, stderr } = await call(['status', '--json'], statusMs)
      const read = status.safeParse(parseJson(stdout)).data
      if (!ok || read?.BackendState !== 'Running')
        throw refusal('tailscale-down', `Tailscale does not run here: ${firstLine(stderr) || 'start it, and sign in'}.`)
      const name = read.Self?.DNSName.replace(/\.$/, '') ?? ''
      const [address] = read.Self?.TailscaleIPs ?? []
      if (name === '' || address === undefined || !read.CertDomains?.includes(name))
        throw refusal('tailscale-no-certificates', off)
      return { name, address }
    },
    async certificate(name) {
      const { ok, stdout, stderr } = await call(['cert', '--cert-file', '-', '--key-file', '-', name], certificateMs)
      const cert = stdout.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g)?.join('')
      const key = /-----BEGIN ([A-Z]+ )?PRIVATE KEY-----[^-]+-----END ([A-Z]+ )?PRIVATE KEY-----\n?/.exec(stdout)?.[0]
      if (ok && cert !== undefined && key !== undefined) return { cert, key }
      const denied = /access denied/i.test(stderr) ? ' Allow it once: sudo tailscale set --operator=$USER' : ''
      const why = firstLine(stderr) || 'it did not answer in time'
      throw refusal('tailscale-refused', `Tailscale gave no certificate: ${why}.${denied}`)
    },
  }
}

const off = 'Tailscale gives this machine no certificate. Switch on MagicDNS and HTTPS in its admin console, under DNS.'

const refusal = (code: string, message: string): OnwardError => new OnwardError(code, message, { status: 409 })

const firstLine = (text: string): string => (text.trim().split('\n', 1)[0] ?? '').slice(0, 300).replace(/\.$/, '')

const runTailscale: RunTailscale = (program, args, timeoutMs) =>
  new Promise((resolve) => {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 4 * 1024 * 1024 } as const
    execFile(program, [...args], options, (error, stdout, stderr) => resolve({ ok: error === null, stdout, stderr }))
  })
