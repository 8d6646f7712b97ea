import { describe, expect, it } from 'vitest'
import { selfSigned } from '../base/network/self-signed.ts'
import { createTailscale, type RunTailscale } from './tailscale.ts'

const made = selfSigned('127.0.0.1', Buffer.alloc(16, 7), 0, Date.UTC(2030, 0))
const running = {
  BackendState: 'Running',
  CertDomains: ['desk.tail1234.ts.net'],
  Self: { DNSName: 'desk.tail1234.ts.net.', TailscaleIPs: ['100.99.1.2', 'fd7a:115c:a1e0::1'] },
}
function scene(answer: Partial<Awaited<ReturnType<RunTailscale>>>, found: (name: string) => boolean = () => true) {
  const calls: (readonly string[])[] = []
  const tailscale = createTailscale({
    findProgram: async (name) => (found(name) ? name : null),
    async run(program, args, timeoutMs) {
      calls.push([program, ...args, `${timeoutMs}`])
      return { ok: true, stdout: '', stderr: '', ...answer }
    },
  })
  return { tailscale, calls }
}

describe('Tailscale', () => {
  it('says what it calls this machine, without the dot', async () => {
    const { tailscale, calls } = scene({ stdout: JSON.stringify(running) })
    expect(await tailscale.self()).toEqual({ name: 'desk.tail1234.ts.net', address: '100.99.1.2' })
    expect(calls).toEqual([['tailscale', 'status', '--json', '5000']])
  })

  it.each([
    ['tailscale-down', { ...running, BackendState: 'Stopped' }],
    ['tailscale-down', 'no JSON'],
    ['tailscale-no-certificates', { ...running, CertDomains: null }],
    ['tailscale-no-certificates', { ...running, Self: { DNSName: '', TailscaleIPs: ['100.99.1.2'] } }],
  ])('%s: %j', async (code, said) => {
    await expect(scene({ stdout: JSON.stringify(said) }).tailscale.self()).rejects.toMatchObject({ code })
  })

  it('is looked for where the App Store puts it, and may be missing', async () => {
    const { tailscale, calls } = scene({ stdout: JSON.stringify(running) }, (name) => name.startsWith('/Applications'))
    await tailscale.self()
    expect(calls[0]?.[0]).toBe('/Applications/Tailscale.app/Contents/MacOS/Tailscale')
    await expect(scene({}, () => false).tailscale.self()).rejects.toMatchObject({ code: 'tailscale-missing' })
  })

  it('prints a chain and its key, which go to no file of its own', async () => {
    const { tailscale, calls } = scene({ stdout: made.cert + made.cert + made.key })
    expect(await tailscale.certificate('desk.tail1234.ts.net')).toEqual({ cert: made.cert + made.cert, key: made.key })
    expect(calls).toEqual([
      ['tailscale', 'cert', '--cert-file', '-', '--key-file', '-', 'desk.tail1234.ts.net', '120000'],
    ])
  })

  it('refuses in its own words, with what helps where access is denied', async () => {
    const stderr = "Access denied: cert access denied\n\nUse 'sudo tailscale cert …'.\n"
    const refused = scene({ ok: false, stderr }).tailscale.certificate('desk')
    await expect(refused).rejects.toMatchObject({
      code: 'tailscale-refused',
      message:
        'Tailscale gave no certificate: Access denied: cert access denied. ' +
        'Allow it once: sudo tailscale set --operator=$USER',
    })
    await expect(scene({ ok: false }).tailscale.certificate('desk')).rejects.toThrow('it did not answer in time')
  })

  it('is a process, whose words are read', async () => {
    const slow = createTailscale({ findProgram: async () => process.execPath })
    // node knows no such options, and ends at once: a real process, with what it says
    await expect(slow.certificate('desk')).rejects.toMatchObject({ code: 'tailscale-refused' })
  })
})
